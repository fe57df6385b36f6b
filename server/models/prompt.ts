import type { CompletionBody, PromptParts } from './completion'
import type { Model } from './shape'
import { countTokensCached, MAX_EXACT_CHARACTERS } from './tokens'
import { measureChatPrompt } from './wires/chat/prompt'

/**
 * Tokens of a prompt, an upper bound rather than a guess. A model takes no more than its context,
 * so neither does the count.
 */
export async function countPrompt(
  { texts, tokens }: PromptParts,
  { contextSize }: Pick<Model, 'contextSize'>,
): Promise<number> {
  const max = contextSize > 0 ? contextSize : Number.MAX_SAFE_INTEGER
  let sum = tokens
  let exactCharacters = MAX_EXACT_CHARACTERS
  for (const text of texts) {
    if (sum >= max) break
    sum += await countTokensCached(text, exactCharacters)
    exactCharacters -= text.length
  }
  return Math.min(sum, max)
}

/**
 * Tokens of a chat body's prompt: messages with names and tool calls, tools, response schema, and
 * every unknown field that could reach the model. Images and files count by size and kind, their
 * base64 never as text.
 */
export const estimatePrompt = (body: CompletionBody, model: Pick<Model, 'contextSize'>): Promise<number> =>
  countPrompt(measureChatPrompt(body), model)
