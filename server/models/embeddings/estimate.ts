import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { invalidRequest } from '../../errors'
import type { Model } from '../shape'
import { countTokensCached, MAX_EXACT_CHARACTERS } from '../tokens'
import { type EmbeddingInput, MAX_INPUT_TOKENS, tooManyTokens } from './request'

/** What models put around a text. */
const PER_INPUT = 2

/** Longest time of counting before it yields to the event loop. */
const YIELD_MS = 8

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
): Promise<EstimatedInputs> {
  const sum: EstimatedInputs = { tokens: 0, maxTokens: 0 }
  let exactCharacters = MAX_EXACT_CHARACTERS
  let lastYield = performance.now()
  for (const input of inputs) {
    const isText = typeof input === 'string'
    const counted = isText ? await countTokensCached(input, exactCharacters) : input.length
    const beyondLatin = isText ? Buffer.byteLength(input) - input.length : 0
    sum.tokens += Math.min(contextSize, counted)
    sum.maxTokens += Math.min(contextSize, counted + beyondLatin + PER_INPUT)
    if (sum.tokens > MAX_INPUT_TOKENS) throw invalidRequest([tooManyTokens])
    if (isText) exactCharacters -= input.length
    if (performance.now() - lastYield < YIELD_MS) continue
    await yieldToEventLoop()
    lastYield = performance.now()
  }
  return sum
}
