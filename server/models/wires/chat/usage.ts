import { isRecord } from '../../../kit/record'
import type { ReportedUsage, TokenUsage } from '../../completion'

/** More than any context holds. */
const MAX_TOKENS = 1e9

/**
 * An upstream's `usage`, or null when it cannot be believed and must be estimated: `prompt_tokens`
 * and `completion_tokens` must be whole numbers from 0 to 1e9, and not both 0. Text is not read as
 * a number and nothing is repaired. Cached and reasoning tokens are part of these two. A number
 * that is too high is believed: the hold limits what it can cost. `cost` is what routers charge,
 * USD.
 */
export function readUsage(raw: unknown): ReportedUsage | null {
  if (!isRecord(raw)) return null
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens, cost } = raw
  if (!isCount(inputTokens) || !isCount(outputTokens) || inputTokens + outputTokens === 0) return null
  return { inputTokens, outputTokens, ...(typeof cost === 'number' && cost >= 0 && { costUsd: cost }) }
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS

/** Usage as chat SDKs read it. */
export const writeUsage = ({ inputTokens, outputTokens }: TokenUsage) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
})
