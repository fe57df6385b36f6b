import { settleHold } from '../credits/settle'
import type { CallChannel } from '../credits/shape'
import type { AnswerKeeper, StoredAnswer } from '../credits/stored-response'
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
  held: bigint
  /** What is stored of the answer, for an Idempotency-Key. */
  keep?: AnswerKeeper
  startedAt: number
  /** Counts everything delivered, in case the upstream reports no usage. */
  delivered: TokenCounter
  /** Null: what the call asks and gets is not kept. */
  log: ModelLog | null
}

export type CallOutcome = {
  status: 'ok' | 'failed'
  error?: string
  /**
   * Makes the answer, before it is charged: what a later request with the same Idempotency-Key
   * gets; null: it is too large for that.
   */
  answer?: (bill: CompletionBill, charged: number) => StoredAnswer | null
}

/** Bills a call and ends its hold. `charged` is in credits, the hold at most. */
export async function settleCall(
  { id, ownerId, channel, plan, held, keep, startedAt, delivered, log }: HeldCall<PricedPrompt>,
  reported: ReportedUsage | null,
  { status, error, answer }: CallOutcome,
): Promise<{ bill: CompletionBill; charged: number }> {
  const { model: prices, promptTokens } = plan
  const bill = await billCompletion({ prices, reported, promptTokens, held, countDelivered: delivered.total })
  countBilledTokens(plan.model, bill.usage)
  const durationMs = Math.round(performance.now() - startedAt)
  const made = answer?.(bill, Number(bill.credits < held ? bill.credits : held))
  const { charged, expired } = await settleHold({
    id,
    ownerId,
    channel,
    held,
    actual: bill.credits,
    status,
    detail: { durationMs, ...bill.detail, ...(error !== undefined && { error }) },
    ...(keep && made !== undefined && { answer: keep(made) }),
  })
  if (expired) keep?.(null)
  log?.end(error === undefined ? {} : { error })
  return { bill, charged: Number(charged) }
}
