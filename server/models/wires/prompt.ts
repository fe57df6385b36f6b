import type { CompletionBody, PromptParts } from '../completion'
import { countTexts } from '../count-texts'
import type { Model } from '../shape'
import { countTokensCached, MAX_EXACT_CHARACTERS } from '../tokens'
import { measureChatPrompt } from './chat/prompt'

const contextOf = ({ contextSize }: Pick<Model, 'contextSize'>): number =>
  contextSize > 0 ? contextSize : Number.MAX_SAFE_INTEGER

/**
 * Tokens of a caller's prompt, an upper bound rather than a guess. A model takes no more than its
 * context, so neither does the count. Throws `unavailable` while too many long prompts of the owner
 * wait.
 */
export async function countPrompt(
  { texts, tokens }: PromptParts,
  model: Pick<Model, 'contextSize'>,
  ownerId: number,
): Promise<number> {
  const max = contextOf(model)
  const counts = await countTexts(texts, { maxEach: max, maxSum: max - tokens, ownerId })
  return counts.reduce((sum, count) => Math.min(max, sum + count), Math.min(max, tokens))
}

/**
 * Tokens of a chat body's prompt that was made here, bounded likewise: messages with names and tool
 * calls, tools, response schema, and every unknown field that could reach the model. Images and
 * files count by size and kind, their base64 never as text.
 */
export async function estimatePrompt(body: CompletionBody, model: Pick<Model, 'contextSize'>): Promise<number> {
  const { texts, tokens } = measureChatPrompt(body)
  const max = contextOf(model)
  let sum = tokens
  let exactCharacters = MAX_EXACT_CHARACTERS
  for (const text of texts) {
    if (sum >= max) break
    sum += await countTokensCached(text, exactCharacters)
    exactCharacters -= text.length
  }
  return Math.min(sum, max)
}
