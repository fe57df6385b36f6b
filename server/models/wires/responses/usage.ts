import { isRecord, type UnknownRecord } from '../../../kit/record'
import type { ReportedUsage, TokenUsage } from '../../completion'
import { isTokenCount } from '../token-count'

/** A part of the tokens; undefined where none was reported. */
const countIn = (details: unknown, name: string): number | undefined => {
  const value = isRecord(details) ? details[name] : undefined
  return isTokenCount(value) && value > 0 ? value : undefined
}

/**
 * A response's `usage`, or null when it cannot be believed and must be estimated: `input_tokens`
 * and `output_tokens` must be whole numbers from 0 to 1e9, and not both 0. `cost` is what routers
 * charge, USD.
 */
export function readResponsesUsage(raw: unknown): ReportedUsage | null {
  if (!isRecord(raw)) return null
  const { input_tokens: inputTokens, output_tokens: outputTokens, cost } = raw
  if (!isTokenCount(inputTokens) || !isTokenCount(outputTokens) || inputTokens + outputTokens === 0) return null
  const cachedInputTokens = countIn(raw.input_tokens_details, 'cached_tokens')
  const cacheWriteTokens = countIn(raw.input_tokens_details, 'cache_write_tokens')
  const reasoningTokens = countIn(raw.output_tokens_details, 'reasoning_tokens')
  return {
    inputTokens,
    outputTokens,
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(typeof cost === 'number' && cost >= 0 && { costUsd: cost }),
  }
}

/** Usage as clients of this wire read it. */
export const writeResponsesUsage = (usage: TokenUsage): UnknownRecord => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: {
    cached_tokens: usage.cachedInputTokens ?? 0,
    ...(usage.cacheWriteTokens !== undefined && { cache_write_tokens: usage.cacheWriteTokens }),
  },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
  total_tokens: usage.inputTokens + usage.outputTokens,
})

/** A response's usage in chat form, as far as it can be believed. */
export function usageToChat(raw: unknown): UnknownRecord | undefined {
  const usage = readResponsesUsage(raw)
  if (!usage) return undefined
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cachedInputTokens ?? 0,
      ...(usage.cacheWriteTokens !== undefined && { cache_write_tokens: usage.cacheWriteTokens }),
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    ...(usage.costUsd !== undefined && { cost: usage.costUsd }),
  }
}
