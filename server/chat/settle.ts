import { settleHold } from '../credits/settle'
import type { CallChannel } from '../credits/shape'
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
  startedAt: number
  /** Counts everything delivered, in case the upstream reports no usage. */
  delivered: TokenCounter
  /** Null: what the call asks and gets is not kept. */
  log: ModelLog | null
}

export type CallOutcome = {
  status: 'ok' | 'failed'
  error?: string
  /** Makes the answer that is kept for later requests with the same Idempotency-Key. */
  keep?: (bill: CompletionBill) => { status: number; body: string }
}

/** Bills a call and ends its hold. `charged` is in credits, the hold at most. */
export async function settleCall(
  { id, ownerId, channel, plan, held, startedAt, delivered, log }: HeldCall<PricedPrompt>,
  reported: ReportedUsage | null,
  { status, error, keep }: CallOutcome,
): Promise<{ bill: CompletionBill; charged: number }> {
  const { model: prices, promptTokens } = plan
  const bill = await billCompletion({ prices, reported, promptTokens, held, countDelivered: delivered.total })
  countBilledTokens(plan.model, bill.usage)
  const durationMs = Math.round(performance.now() - startedAt)
  const { charged } = await settleHold({
    id,
    ownerId,
    channel,
    held,
    actual: bill.credits,
    status,
    detail: { durationMs, ...bill.detail, ...(error !== undefined && { error }) },
    answer: keep?.(bill),
  })
  log?.end(error === undefined ? {} : { error })
  return { bill, charged: Number(charged) }
}
