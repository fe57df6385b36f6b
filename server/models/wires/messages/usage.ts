import { isRecord, type UnknownRecord } from '../../../kit/record'
import type { ReportedUsage, TokenUsage } from '../../completion'
import { isTokenCount } from '../token-count'

/** An absent or null count is 0; anything else must be a count. */
const countOr0 = (value: unknown): number | null => (value == null ? 0 : isTokenCount(value) ? value : null)

/**
 * An upstream's `usage`, or null when it cannot be believed: whole numbers from 0 to 1e9, input and
 * output not both 0. `input_tokens` leaves out what was read from a cache or written to it; ours
 * includes both. `cost` is what routers charge, USD.
 */
export function readMessagesUsage(raw: unknown): ReportedUsage | null {
  if (!isRecord(raw)) return null
  const { input_tokens: plain, output_tokens: outputTokens, output_tokens_details: details, cost } = raw
  const cached = countOr0(raw.cache_read_input_tokens)
  const written = countOr0(raw.cache_creation_input_tokens)
  if (!isTokenCount(plain) || !isTokenCount(outputTokens) || cached === null || written === null) return null
  const inputTokens = plain + cached + written
  if (inputTokens + outputTokens === 0 || !isTokenCount(inputTokens)) return null
  const reasoning = isRecord(details) ? details.thinking_tokens : undefined
  return {
    inputTokens,
    outputTokens,
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(written > 0 && { cacheWriteTokens: written }),
    ...(typeof cost === 'number' && cost >= 0 && { costUsd: cost }),
    ...(isTokenCount(reasoning) && reasoning > 0 && reasoning <= outputTokens && { reasoningTokens: reasoning }),
  }
}

/** Usage as clients of this wire read it. */
export function writeMessagesUsage(usage: TokenUsage): UnknownRecord {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0, reasoningTokens } = usage
  return {
    input_tokens: Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedInputTokens,
    output_tokens: outputTokens,
    ...(reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  }
}
