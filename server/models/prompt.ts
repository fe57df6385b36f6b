import type { CompletionBody } from './completion'
import type { Model } from './shape'
import { countTokensCached, MAX_EXACT_CHARACTERS } from './tokens'
import { measurePrompt } from './wires/chat/prompt'

/**
 * Tokens of a body's prompt, an upper bound rather than a guess: messages with names and tool
 * calls, tools, response schema, and every unknown field that could reach the model. Images and
 * files count by size and kind, their base64 never as text. A model takes no more than its context,
 * so neither does the estimate.
 */
export async function estimatePrompt(
  body: CompletionBody,
  { contextSize }: Pick<Model, 'contextSize'>,
): Promise<number> {
  const max = contextSize > 0 ? contextSize : Number.MAX_SAFE_INTEGER
  const { texts, tokens } = measurePrompt(body)
  let sum = tokens
  let exactCharacters = MAX_EXACT_CHARACTERS
  for (const text of texts) {
    if (sum >= max) break
    sum += await countTokensCached(text, exactCharacters)
    exactCharacters -= text.length
  }
  return Math.min(sum, max)
}
