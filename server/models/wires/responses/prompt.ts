import { isRecord, type UnknownRecord } from '../../../kit/record'
import type { CompletionBody, PromptParts } from '../../completion'
import { fileTokens, imageTokens } from '../media-tokens'
import { addOtherFields } from '../other-fields'

/** Tokens that providers add around an item, around a tool, and before the answer. */
const PER_ITEM = 4
const PER_TOOL = 8
const PRIMING = 3

/** Top-level fields that never become part of a prompt. */
const NOT_PROMPT: ReadonlySet<string> = new Set(
  'model input instructions tools stream stream_options max_output_tokens max_tool_calls temperature top_p top_logprobs presence_penalty frequency_penalty user metadata client_metadata store include reasoning parallel_tool_calls prompt_cache_key prompt_cache_retention prompt_cache_options safety_identifier truncation context_management'.split(
    ' ',
  ),
)

/** Fields of items that say where something belongs, and are covered by PER_ITEM. */
const NOT_TEXT: ReadonlySet<string> = new Set(['type', 'role', 'id', 'status', 'call_id', 'detail'])

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Splits the prompt of a body of this wire into what must be counted and what is known. */
export function measureResponsesPrompt(body: CompletionBody): PromptParts {
  const parts: PromptParts = { texts: [], tokens: PRIMING, images: 0 }
  for (const given of [body.instructions, body.input]) {
    if (typeof given === 'string') parts.tokens += PER_ITEM
    for (const item of listOf(given)) {
      parts.tokens += PER_ITEM
      // Tools that an item brings are counted as text, schema and all.
      if (isRecord(item) && Array.isArray(item.tools)) parts.texts.push(JSON.stringify(item.tools))
    }
    addValue(given, parts)
  }
  for (const tool of listOf(body.tools)) {
    parts.tokens += PER_TOOL
    parts.texts.push(JSON.stringify(tool))
  }
  addOtherFields(body, NOT_PROMPT, parts)
  return parts
}

/** Adds every text of an item, at any depth. */
function addValue(value: unknown, parts: PromptParts): void {
  if (typeof value === 'string') parts.texts.push(value)
  else if (Array.isArray(value)) for (const each of value) addValue(each, parts)
  else if (isRecord(value)) addRecord(value, parts)
}

function addRecord(record: UnknownRecord, parts: PromptParts): void {
  const { type, image_url: image, detail } = record
  if (image != null || type === 'input_image') {
    const inline = typeof image === 'string' && image.startsWith('data:') ? image : null
    parts.images++
    parts.tokens += imageTokens({ inline, isLow: detail === 'low' })
  } else if (type === 'input_file') parts.tokens += fileTokens(inlineIn(record.file_data))
  else if (type === 'input_audio')
    parts.tokens += fileTokens(inlineIn(isRecord(record.input_audio) ? record.input_audio.data : undefined))
  else
    for (const [name, inner] of Object.entries(record)) {
      if (!NOT_TEXT.has(name) && name !== 'tools') addValue(inner, parts)
    }
}

const inlineIn = (data: unknown): string | null => (typeof data === 'string' ? data : null)
