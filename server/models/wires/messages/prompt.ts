import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { CompletionBody, PromptParts } from '../../completion'
import { fileTokens, imageTokens } from '../media-tokens'
import { addOtherFields } from '../other-fields'

/**
 * Tokens that the format adds around a message and a tool, before the answer, and for having tools.
 */
const PER_MESSAGE = 4
const PER_TOOL = 24
const PRIMING = 3
const TOOL_PROMPT = 350

/** Fewest characters of a signature or of encrypted thinking per token of what it stands for. */
const SEALED_CHARACTERS_PER_TOKEN = 4

/** Top-level fields that never become part of a prompt. */
const NOT_PROMPT: ReadonlySet<string> = new Set(
  'model messages system tools tool_choice stream max_tokens temperature top_p top_k stop_sequences metadata thinking cache_control context_management'.split(
    ' ',
  ),
)

/** Fields of a block that are not text of the prompt. */
const NOT_TEXT: ReadonlySet<string> = new Set(
  'type cache_control citations signature data source content is_error'.split(' '),
)

/** Splits the prompt of a messages body into what must be counted and what is known. */
export function measureMessagesPrompt(body: CompletionBody): PromptParts {
  const parts: PromptParts = { texts: [], tokens: PRIMING, images: 0 }
  addContent(body.system, parts)
  for (const { content } of recordsIn(body.messages)) {
    parts.tokens += PER_MESSAGE
    addContent(content, parts)
  }
  const tools = recordsIn(body.tools)
  if (tools.length > 0) parts.tokens += TOOL_PROMPT
  for (const tool of tools) {
    parts.tokens += PER_TOOL
    parts.texts.push(JSON.stringify(tool))
  }
  addOtherFields(body, NOT_PROMPT, parts)
  return parts
}

function addContent(content: unknown, parts: PromptParts): void {
  if (typeof content === 'string') parts.texts.push(content)
  else for (const block of recordsIn(content)) addBlock(block, parts)
}

/** A block with all it holds; one of a kind that is not known counts with every field. */
function addBlock(block: UnknownRecord, parts: PromptParts): void {
  const isMedia = block.type === 'image' || block.type === 'document'
  if (isMedia) addMedia(block, parts)
  for (const [name, value] of isMedia ? [] : Object.entries(block)) {
    if (name === 'content') addContent(value, parts)
    else if ((name === 'signature' || name === 'data') && typeof value === 'string')
      parts.tokens += Math.ceil(value.length / SEALED_CHARACTERS_PER_TOKEN)
    else if (!NOT_TEXT.has(name) && typeof value === 'string') parts.texts.push(value)
    else if (!NOT_TEXT.has(name) && typeof value === 'object' && value !== null) parts.texts.push(JSON.stringify(value))
  }
  // A search result names its page in this field.
  if (typeof block.source === 'string') parts.texts.push(block.source)
}

function addMedia({ type, source, title, context }: UnknownRecord, parts: PromptParts): void {
  for (const text of [title, context]) if (typeof text === 'string') parts.texts.push(text)
  const { type: form, data, content } = isRecord(source) ? source : {}
  const inline = typeof data === 'string' ? data : null
  if (form === 'text') parts.texts.push(inline ?? '')
  else if (form === 'content') addContent(content, parts)
  else if (type === 'document') parts.tokens += fileTokens(inline)
  else {
    parts.images++
    parts.tokens += imageTokens({ inline, isLow: false })
  }
}
