import { settleRun } from '../credits/perform'
import type { Held, Unsettled } from '../credits/plan'
import type { Settlement } from '../credits/settlement'
import type { CallChannel } from '../credits/shape'
import type { StoredAnswer } from '../credits/stored-response'
import { billCompletion, type CompletionBill } from '../models/bill'
import type { ReportedUsage } from '../models/completion'
import { countBilledTokens } from '../models/metrics'
import type { TokenCounter } from '../models/tokens'
import type { ModelLog } from '../request-log/model-log'
import type { CompletionPlan } from './plan'

/** What a bill needs to know of a call's plan. */
export type PricedPrompt = Pick<CompletionPlan, 'model' | 'promptTokens'>

/** A call whose credits are held. */
export type HeldCall<P extends PricedPrompt = CompletionPlan> = {
  /** The request's id, and its hold's. */
  id: string
  ownerId: number
  channel: CallChannel
  plan: P
  /** Credits held: the most that can be charged. */
  held: Held
  startedAt: number
  /** Counts everything delivered, in case the upstream reports no usage. */
  delivered: TokenCounter
  /** Null: what the call asks and gets is not kept. */
  log: ModelLog | null
}

export type CallOutcome = {
  status: 'ok' | 'failed'
  error?: string
  /** Milliseconds until the first output of a stream; undefined: none came. */
  firstTokenMs?: number | undefined
  /**
   * Makes the answer, before it is charged: what a later request with the same Idempotency-Key
   * gets; null: it is too large for that.
   */
  answer?: (bill: CompletionBill, charged: number) => StoredAnswer | null
}

/** What a call was billed. `charged` is in credits, the hold at most. */
export type BilledCall = { bill: CompletionBill; charged: number }

/** Bills a call, and says how its hold ends. */
export async function billCall(
  { id, ownerId, channel, plan, held, startedAt, delivered, log }: HeldCall<PricedPrompt>,
  reported: ReportedUsage | null,
  { status, error, answer, firstTokenMs }: CallOutcome,
): Promise<Unsettled<BilledCall>> {
  const { model: prices, promptTokens } = plan
  const { keep } = held
  const bill = await billCompletion({
    prices,
    reported,
    promptTokens,
    held: held.amount,
    countDelivered: delivered.total,
  })
  countBilledTokens(plan.model, bill.usage)
  const durationMs = Math.round(performance.now() - startedAt)
  const made = answer?.(bill, Number(bill.credits - bill.loss))
  const settlement = {
    id,
    ownerId,
    channel,
    held: held.amount,
    actual: bill.credits,
    status,
    detail: {
      durationMs,
      ...bill.detail,
      ...(error !== undefined && { error }),
      ...(firstTokenMs !== undefined && { firstTokenMs }),
    },
    ...(keep && made !== undefined && { answer: keep(made) }),
  }
  const outcome = ({ charged, expired }: Settlement) => {
    if (expired) keep?.(null)
    log?.end(error === undefined ? {} : { error })
    return { bill, charged: Number(charged) }
  }
  return { kind: 'performed', settlement, outcome }
}

/** Bills a call and ends its hold: of a stream, which settles when it ends. */
export async function settleCall(
  call: HeldCall<PricedPrompt>,
  reported: ReportedUsage | null,
  outcome: CallOutcome,
): Promise<BilledCall> {
  return settleRun(await billCall(call, reported, outcome))
}
