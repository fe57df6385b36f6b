import { memoize } from '../../kit/memoize'
import { recordsIn, type UnknownRecord } from '../../kit/record'
import type { CompletionBody } from '../../models/completion'
import type { Model } from '../../models/shape'
import { estimatePrompt } from '../../models/wires/prompt'

/**
 * Characters of what a provider encrypted or signed per token that it stands for: base64 of a text
 * with about four characters a token.
 */
const SEALED_CHARS = 5

/** Tokens of the definitions of tools, which are the same at most steps of a run. */
const toolTokens = memoize(
  async (tools: readonly object[]): Promise<number> =>
    (await estimatePrompt({ tools }, UNLIMITED)) - (await estimatePrompt({}, UNLIMITED)),
)
const UNLIMITED = { contextSize: 0 }

/**
 * Tokens of an agent's prompt. Reasoning that goes back to its provider is counted once although it
 * is there as text and as details, and what is encrypted by its size instead of as text.
 */
export async function estimateAgentPrompt(
  { tools, ...body }: CompletionBody & { tools?: readonly object[] },
  model: Pick<Model, 'contextSize'>,
): Promise<number> {
  let sealed = 0
  const messages = recordsIn(body.messages).map((message) => {
    const read = message.role === 'assistant' ? withoutSealed(message) : { message, sealed: 0 }
    sealed += read.sealed
    return read.message
  })
  const tokens = (await estimatePrompt({ ...body, messages }, model)) + (tools ? await toolTokens(tools) : 0)
  return Math.min(tokens + Math.ceil(sealed / SEALED_CHARS), model.contextSize)
}

/** A message without what is no text in it, and how many characters that is. */
function withoutSealed(message: UnknownRecord): { message: UnknownRecord; sealed: number } {
  const { reasoning, reasoning_content, reasoning_details, tool_calls, ...rest } = message
  if (reasoning_details === undefined && tool_calls === undefined) return { message, sealed: 0 }
  let sealed = 0
  const details = recordsIn(reasoning_details).map(({ data, signature, ...detail }) => {
    sealed += sizeOf(data) + sizeOf(signature)
    return detail
  })
  const calls = recordsIn(tool_calls).map(({ id, type, function: called, ...more }) => {
    if (Object.keys(more).length > 0) sealed += JSON.stringify(more).length
    return { id, type, function: called }
  })
  const isRepeated = details.some(({ text, summary }) => text !== undefined || summary !== undefined)
  return {
    message: {
      ...rest,
      ...(!isRepeated && { reasoning, reasoning_content }),
      ...(details.length > 0 && { details }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
    sealed,
  }
}

const sizeOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0)
