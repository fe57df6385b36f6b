import type { TokenUsage } from './completion'
import type { Model } from './shape'

const PER = 1_000_000n
/** Below any upstream's own limit, above any context. */
const MAX_TOKENS = 1e9

const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

/** Credits per million tokens. */
export type TokenPrices = Pick<Model, 'creditsPer1mInput' | 'creditsPer1mOutput'>

/** Credits of a call: tokens times price, rounded up once, at least 1 when any token was used. */
export function creditsForTokens({ inputTokens, outputTokens }: TokenUsage, model: TokenPrices): bigint {
  if (inputTokens === 0 && outputTokens === 0) return 0n
  const exact = BigInt(inputTokens) * model.creditsPer1mInput + BigInt(outputTokens) * model.creditsPer1mOutput
  const credits = ceilDiv(exact, PER)
  return credits > 0n ? credits : 1n
}

/**
 * Output tokens per choice for a caller who named no limit: the smallest of the model's default,
 * its maximum and what is left of its context. What is affordable may be less, see
 * `affordableOutput`.
 */
export function defaultOutput(
  model: Pick<Model, 'contextSize' | 'maxOutput' | 'defaultMaxOutput'>,
  promptTokens: number,
): number {
  const max = Math.min(model.maxOutput, model.defaultMaxOutput)
  const left = model.contextSize - promptTokens
  return left >= 1 ? Math.min(max, left) : max
}

type Size = { promptTokens: number; outputTokens: number; n: number }

/**
 * The most a call of this size can cost, in credits. Never below `creditsForTokens` of the same
 * tokens.
 */
export const holdForTokens = ({ promptTokens, outputTokens, n }: Size, model: TokenPrices): bigint =>
  creditsForTokens({ inputTokens: promptTokens, outputTokens: outputTokens * n }, model)

/**
 * Output tokens per choice that `credits` pay for on top of the prompt; 0 when they do not even pay
 * for that.
 */
export function affordableOutput(
  credits: bigint,
  { promptTokens, n }: Pick<Size, 'promptTokens' | 'n'>,
  model: TokenPrices,
): number {
  if (credits < 1n) return 0
  const left = credits * PER - BigInt(promptTokens) * model.creditsPer1mInput
  if (left < 0n) return 0
  if (model.creditsPer1mOutput === 0n) return MAX_TOKENS
  const each = left / (BigInt(n) * model.creditsPer1mOutput)
  return each > BigInt(MAX_TOKENS) ? MAX_TOKENS : Number(each)
}
