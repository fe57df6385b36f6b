import { invalidRequest } from '../errors'
import { isRecord } from '../kit/record'
import type { CompletionBody, ReportedUsage, TokenUsage } from './completion'
import type { Model } from './shape'

const PER = 1_000_000n
const MOST_CHOICES = 8
/** Below any upstream's own limit, above any context there is. */
const MOST_TOKENS = 1e9

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

export type OutputLimit = {
  /** Output tokens per choice that the caller allows; null: not said. */
  outputTokens: number | null
  /** Choices asked for. */
  n: number
}

/** The limits a caller set: `max_completion_tokens`, else `max_tokens`, and `n`. Throws `invalid_request`. */
export function readOutputLimit(body: CompletionBody): OutputLimit {
  const name = body.max_completion_tokens == null ? 'max_tokens' : 'max_completion_tokens'
  return {
    outputTokens: body[name] == null ? null : wholeOf(body, name, MOST_TOKENS),
    n: body.n == null ? 1 : wholeOf(body, 'n', MOST_CHOICES),
  }
}

function wholeOf(body: CompletionBody, name: string, max: number): number {
  const value = body[name]
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value
  throw invalidRequest([{ path: [name], message: `must be a whole number from 1 to ${max}` }])
}

/**
 * Output tokens per choice for a caller who named no limit: the model's default and maximum, and what its context
 * still has room for. What is affordable comes on top, see `affordableOutput`.
 */
export function defaultOutput(
  model: Pick<Model, 'contextSize' | 'maxOutput' | 'defaultMaxOutput'>,
  promptTokens: number,
): number {
  const most = Math.min(model.maxOutput, model.defaultMaxOutput)
  const room = model.contextSize - promptTokens
  return room >= 1 ? Math.min(most, room) : most
}

type Size = { promptTokens: number; outputTokens: number; n: number }

/** The most a call of this size can cost, in credits. Never below what `chargeFor` makes of the same tokens. */
export const holdForTokens = ({ promptTokens, outputTokens, n }: Size, model: TokenPrices): bigint =>
  creditsForTokens({ inputTokens: promptTokens, outputTokens: outputTokens * n }, model)

/** Output tokens per choice that `credits` pay for on top of the prompt; 0 when they do not even pay for that. */
export function affordableOutput(
  credits: bigint,
  { promptTokens, n }: Pick<Size, 'promptTokens' | 'n'>,
  model: TokenPrices,
): number {
  if (credits < 1n) return 0
  const left = credits * PER - BigInt(promptTokens) * model.creditsPer1mInput
  if (left < 0n) return 0
  if (model.creditsPer1mOutput === 0n) return MOST_TOKENS
  const each = left / (BigInt(n) * model.creditsPer1mOutput)
  return each > BigInt(MOST_TOKENS) ? MOST_TOKENS : Number(each)
}

/**
 * An upstream's `usage`, or null when it cannot be believed and must be estimated: both `prompt_tokens` and
 * `completion_tokens` must be whole numbers from 0 to 1e9, and not both 0. Text is not read as a
 * number and nothing is repaired. Cached and reasoning tokens are part of these two. A number that
 * is too high is believed: the hold limits what it can cost. `cost` is what routers charge, USD.
 */
export function readUsage(raw: unknown): ReportedUsage | null {
  if (!isRecord(raw)) return null
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens, cost } = raw
  if (!isCount(inputTokens) || !isCount(outputTokens) || inputTokens + outputTokens === 0) return null
  return { inputTokens, outputTokens, ...(typeof cost === 'number' && cost >= 0 && { costUsd: cost }) }
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_TOKENS
