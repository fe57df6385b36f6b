import type { TokenUsage } from './completion'
import type { Model } from './shape'

const PER = 1_000_000n
/** Below any upstream's own limit, above any context. */
const MAX_TOKENS = 1e9

const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

/**
 * Credits per million tokens. Cached input and cache writes without a price cost what input does.
 */
export type TokenPrices = Pick<
  Model,
  'creditsPer1mInput' | 'creditsPer1mOutput' | 'creditsPer1mCachedInput' | 'creditsPer1mCacheWrite'
>

type TokenUsdPrices = Pick<Model, 'usdPer1mInput' | 'usdPer1mOutput' | 'usdPer1mCachedInput' | 'usdPer1mCacheWrite'>

/** Input tokens by what they cost. */
export type InputSplit = { plain: number; cached: number; written: number }

/**
 * The input of a call by what it costs. Cached tokens and cache writes are part of the input: where
 * a provider names more of them than that, its numbers are not believed, and all of it is plain.
 */
export function splitInput({ inputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 }: TokenUsage): InputSplit {
  const plain = inputTokens - cachedInputTokens - cacheWriteTokens
  const isBelieved = plain >= 0 && cachedInputTokens >= 0 && cacheWriteTokens >= 0
  if (!isBelieved) return { plain: inputTokens, cached: 0, written: 0 }
  return { plain, cached: cachedInputTokens, written: cacheWriteTokens }
}

/** Credits of a call: tokens times price, rounded up once, at least 1 when any token was used. */
export function creditsForTokens(usage: TokenUsage, prices: TokenPrices): bigint {
  const { inputTokens, outputTokens } = usage
  if (inputTokens === 0 && outputTokens === 0) return 0n
  const { plain, cached, written } = splitInput(usage)
  const { creditsPer1mInput: input, creditsPer1mOutput: output } = prices
  const exact =
    BigInt(plain) * input +
    BigInt(cached) * (prices.creditsPer1mCachedInput ?? input) +
    BigInt(written) * (prices.creditsPer1mCacheWrite ?? input) +
    BigInt(outputTokens) * output
  const credits = ceilDiv(exact, PER)
  return credits > 0n ? credits : 1n
}

/** The same prices with every input token at the highest of them: nobody knows what is cached. */
function atFullPrice({ creditsPer1mInput, creditsPer1mOutput, ...more }: TokenPrices): TokenPrices {
  const all = [creditsPer1mInput, more.creditsPer1mCachedInput ?? 0n, more.creditsPer1mCacheWrite ?? 0n]
  return { creditsPer1mInput: all.reduce((most, price) => (price > most ? price : most)), creditsPer1mOutput }
}

/** What tokens cost the operator by the registry, USD. */
export function usdForTokens(usage: TokenUsage, prices: TokenUsdPrices): number {
  const { plain, cached, written } = splitInput(usage)
  const { usdPer1mInput: input, usdPer1mCachedInput = input, usdPer1mCacheWrite = input } = prices
  return (
    (plain * input +
      cached * usdPer1mCachedInput +
      written * usdPer1mCacheWrite +
      usage.outputTokens * prices.usdPer1mOutput) /
    1e6
  )
}

/** The most that tokens can cost the operator by the registry, USD. */
export function maxUsdForTokens({ inputTokens, outputTokens }: TokenUsage, prices: TokenUsdPrices): number {
  const input = Math.max(prices.usdPer1mInput, prices.usdPer1mCachedInput ?? 0, prices.usdPer1mCacheWrite ?? 0)
  return (inputTokens * input + outputTokens * prices.usdPer1mOutput) / 1e6
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
 * The most a call of this size can cost, in credits: all input at the highest price. Never below
 * `creditsForTokens` of the same tokens, however they are split.
 */
export const holdForTokens = ({ promptTokens, outputTokens, n }: Size, prices: TokenPrices): bigint =>
  creditsForTokens({ inputTokens: promptTokens, outputTokens: outputTokens * n }, atFullPrice(prices))

/**
 * Output tokens per choice that `credits` pay for on top of the prompt; 0 when they do not even pay
 * for that.
 */
export function affordableOutput(
  credits: bigint,
  { promptTokens, n }: Pick<Size, 'promptTokens' | 'n'>,
  prices: TokenPrices,
): number {
  if (credits < 1n) return 0
  const { creditsPer1mInput, creditsPer1mOutput } = atFullPrice(prices)
  const left = credits * PER - BigInt(promptTokens) * creditsPer1mInput
  if (left < 0n) return 0
  if (creditsPer1mOutput === 0n) return MAX_TOKENS
  const each = left / (BigInt(n) * creditsPer1mOutput)
  return each > BigInt(MAX_TOKENS) ? MAX_TOKENS : Number(each)
}
