import { invalidRequest } from '../../errors'
import { countTexts } from '../count-texts'
import type { Model } from '../shape'
import { type EmbeddingInput, MAX_INPUT_TOKENS, tooManyTokens } from './request'

/** What models put around a text. */
const PER_INPUT = 2

/**
 * Tokens of the inputs: as counted here, and at most. Tokenizers differ most in other scripts than
 * Latin, where an older one makes up to one token of each byte. A model takes no more of an input
 * than its context.
 */
export type EstimatedInputs = { tokens: number; maxTokens: number }

/** Estimates inputs for a model. Throws `invalid_request` for more than one request may have. */
export async function estimateInputs(
  inputs: readonly EmbeddingInput[],
  { contextSize }: Pick<Model, 'contextSize'>,
  ownerId: number,
): Promise<EstimatedInputs> {
  const texts = inputs.map((input) => (typeof input === 'string' ? input : ''))
  const counts = await countTexts(texts, { maxEach: contextSize, maxSum: MAX_INPUT_TOKENS + 1, ownerId })
  const sum: EstimatedInputs = { tokens: 0, maxTokens: 0 }
  for (const [i, input] of inputs.entries()) {
    const isText = typeof input === 'string'
    const counted = isText ? (counts[i] ?? 0) : input.length
    const beyondLatin = isText ? Buffer.byteLength(input) - input.length : 0
    sum.tokens += Math.min(contextSize, counted)
    sum.maxTokens += Math.min(contextSize, counted + beyondLatin + PER_INPUT)
    if (sum.tokens > MAX_INPUT_TOKENS) throw invalidRequest([tooManyTokens])
  }
  return sum
}
