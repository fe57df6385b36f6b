import type { UnknownRecord } from '../../../kit/record'
import type { CompletionBody, PromptParts } from '../../completion'
import { fileTokens, imageTokens } from '../media-tokens'
import { addOtherFields } from '../other-fields'

/** Tokens that chat formats add around a message, around a tool, and before the answer. */
const PER_MESSAGE = 4
const PER_TOOL = 8
const PRIMING = 3

/** Top-level fields that never become part of a prompt. */
const NOT_PROMPT: ReadonlySet<string> = new Set(
  'model messages stream stream_options n max_tokens max_completion_tokens temperature top_p top_k min_p seed stop user metadata store service_tier logprobs top_logprobs logit_bias presence_penalty frequency_penalty reasoning_effort parallel_tool_calls tools functions prompt_cache_key safety_identifier'.split(
    ' ',
  ),
)

const isObject = (value: unknown): value is UnknownRecord => typeof value === 'object' && value !== null
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Splits the prompt of a chat body into what must be counted and what is known. */
export function measureChatPrompt(body: CompletionBody): PromptParts {
  const parts: PromptParts = { texts: [], tokens: PRIMING, images: 0 }
  for (const message of listOf(body.messages)) {
    parts.tokens += PER_MESSAGE
    addContent(message, parts)
  }
  for (const tool of [...listOf(body.tools), ...listOf(body.functions)]) {
    parts.tokens += PER_TOOL
    parts.texts.push(JSON.stringify(tool))
  }
  addOtherFields(body, NOT_PROMPT, parts)
  return parts
}

/**
 * Adds every text of a message, at any depth. PER_MESSAGE covers its role and the types of its
 * parts.
 */
function addContent(value: unknown, parts: PromptParts): void {
  if (typeof value === 'string') parts.texts.push(value)
  else if (Array.isArray(value)) for (const item of value) addContent(item, parts)
  else if (isObject(value)) addPart(value, parts)
}

function addPart(part: UnknownRecord, parts: PromptParts): void {
  if (part.type === 'image_url') addImage(part.image_url, parts)
  else if (part.type === 'input_audio' || part.type === 'file' || part.type === 'video_url')
    parts.tokens += tokensOfFiles(part[part.type])
  else
    for (const [name, inner] of Object.entries(part)) {
      if (name !== 'role' && name !== 'type') addContent(inner, parts)
    }
}

function addImage(image: unknown, parts: PromptParts): void {
  const url = isObject(image) ? image.url : image
  const inline = typeof url === 'string' && url.startsWith('data:') ? url : null
  parts.images++
  parts.tokens += imageTokens({ inline, isLow: isObject(image) && image.detail === 'low' })
}

/** Tokens of a recording, document or video, which may consist of several files. */
function tokensOfFiles(file: unknown): number {
  const inline = Object.values(isObject(file) ? file : { file }).filter(
    (part) => typeof part === 'string' && (part.startsWith('data:') || part.length > 2_048),
  ) as string[]
  return inline.length === 0 ? fileTokens(null) : inline.reduce((sum, part) => sum + fileTokens(part), 0)
}
