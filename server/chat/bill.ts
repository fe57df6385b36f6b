import { settleHold } from '../credits/settle'
import type { Settlement } from '../credits/settlement'
import type { TokenUsage } from '../models/completion'
import { creditsForTokens } from '../models/prices'
import type { TokenCounter } from '../models/tokens'
import type { ChatPlan } from './plan'

/** One call's meter: what its upstream reported, else what was counted here. */
export type Bill = {
  /** The request's id, and its hold's. */
  id: string
  ownerId: number
  plan: ChatPlan
  /** Credits held: the most that can be charged. */
  held: bigint
  startedAt: number
  /** Counts everything received, for the case that usage never comes. */
  counter: TokenCounter
}

export type Measured = { usage: TokenUsage; estimated: boolean }

/** The upstream's usage, or, where it sent none that can be believed, prompt and everything received, counted. */
export async function measure({ plan, counter }: Bill, reported: TokenUsage | null): Promise<Measured> {
  if (reported) return { usage: reported, estimated: false }
  return { usage: { inputTokens: plan.promptTokens, outputTokens: await counter.total() }, estimated: true }
}

type Ending = {
  status: 'ok' | 'failed'
  error?: string
  answer?: { status: number; body: string }
}

/** Settles a call at its tokens' price. The charge never exceeds the hold; any excess is the operator's loss. */
export function settleChat(
  { id, ownerId, plan, held, startedAt }: Bill,
  { usage, estimated }: Measured,
  { status, error, answer }: Ending,
): Promise<Settlement> {
  const { creditsPer1mInput, creditsPer1mOutput } = plan.model
  const actual = creditsForTokens(usage, plan.model)
  return settleHold({
    id,
    ownerId,
    held,
    actual,
    status,
    detail: {
      durationMs: Math.round(performance.now() - startedAt),
      ...usage,
      creditsPer1mInput: Number(creditsPer1mInput),
      creditsPer1mOutput: Number(creditsPer1mOutput),
      estimated,
      ...(actual > held && { loss: Number(actual - held) }),
      ...(error !== undefined && { error }),
    },
    answer,
  })
}

/** Usage as chat SDKs read it. */
export const wireUsage = ({ inputTokens, outputTokens }: TokenUsage) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
})
