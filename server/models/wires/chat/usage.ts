import { isRecord } from '../../../kit/record'
import type { ReportedUsage, TokenUsage } from '../../completion'
import { isTokenCount } from '../token-count'

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
  if (!isTokenCount(inputTokens) || !isTokenCount(outputTokens) || inputTokens + outputTokens === 0) return null
  return {
    inputTokens,
    outputTokens,
    ...readParts(raw),
    ...(typeof cost === 'number' && cost >= 0 && { costUsd: cost }),
  }
}

/**
 * Which part of the tokens came from the provider's cache, was written to it, or is reasoning.
 * Providers and routers have several names for the same.
 */
function readParts(raw: Record<string, unknown>): Partial<TokenUsage> {
  const input = isRecord(raw.prompt_tokens_details) ? raw.prompt_tokens_details : {}
  const output = isRecord(raw.completion_tokens_details) ? raw.completion_tokens_details : {}
  const cached = firstCount(
    input.cached_tokens,
    raw.cached_tokens,
    raw.prompt_cache_hit_tokens,
    raw.cache_read_input_tokens,
  )
  const written = firstCount(
    input.cache_write_tokens,
    input.cache_creation_tokens,
    input.cache_creation_input_tokens,
    raw.cache_creation_input_tokens,
  )
  const reasoning = firstCount(output.reasoning_tokens, raw.reasoning_tokens)
  return {
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(written > 0 && { cacheWriteTokens: written }),
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
  }
}

/** The first of these that is a number of tokens above 0, or 0. */
const firstCount = (...values: unknown[]): number => values.filter(isTokenCount).find((n) => n > 0) ?? 0

/** Usage as chat SDKs read it. */
export const writeUsage = (usage: TokenUsage) => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  ...((usage.cachedInputTokens || usage.cacheWriteTokens) && {
    prompt_tokens_details: {
      cached_tokens: usage.cachedInputTokens ?? 0,
      ...(usage.cacheWriteTokens && { cache_write_tokens: usage.cacheWriteTokens }),
    },
  }),
  ...(usage.reasoningTokens && { completion_tokens_details: { reasoning_tokens: usage.reasoningTokens } }),
})
