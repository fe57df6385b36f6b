import type { UnknownRecord } from '../kit/record'
import type { CompletionBody } from './completion'
import type { Model } from './shape'
import { countTokensCached, MAX_EXACT_CHARACTERS } from './tokens'

/** What chat formats put around a message, around a tool, and before the answer. */
const PER_MESSAGE = 4
const PER_TOOL = 8
const PRIMING = 3

/** Tokens of an image at most: what the costliest common vendors charge for a large one, a small file, low detail. */
const IMAGE = { most: 6_000, small: 2_000, low: 3_000 }
const SMALL_BYTES = 4 * 1024
/** Other files, such as recordings and PDFs, inline: bytes per token at least, and tokens of one that is only linked. */
const FILE_BYTES_PER_TOKEN = 16
const LINKED_FILE = 20_000

/** Top-level fields that never become part of a prompt. */
const NOT_PROMPT: ReadonlySet<string> = new Set(
  'model messages stream stream_options n max_tokens max_completion_tokens temperature top_p top_k min_p seed stop user metadata store service_tier logprobs top_logprobs logit_bias presence_penalty frequency_penalty reasoning_effort parallel_tool_calls tools functions prompt_cache_key safety_identifier'.split(
    ' ',
  ),
)

const isObject = (value: unknown): value is UnknownRecord => typeof value === 'object' && value !== null
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** What a prompt holds: text to be counted, and tokens known without counting. */
export type PromptParts = { texts: string[]; tokens: number; images: number }

/**
 * Tokens a request body's prompt takes, an upper bound rather than a guess: messages with names and tool calls, tools,
 * response schema, and every unknown field that could reach the model. Images and files count by size and kind, their
 * base64 never as text. A model takes no more than its context, so neither does the estimate.
 */
export async function estimatePrompt(
  body: CompletionBody,
  { contextSize }: Pick<Model, 'contextSize'>,
): Promise<number> {
  const most = contextSize > 0 ? contextSize : Number.MAX_SAFE_INTEGER
  const { texts, tokens } = measurePrompt(body)
  let sum = tokens
  let exact = MAX_EXACT_CHARACTERS
  for (const text of texts) {
    if (sum >= most) break
    sum += await countTokensCached(text, exact)
    exact -= text.length
  }
  return Math.min(sum, most)
}

/** Takes a body apart into what has to be counted and what is known. */
export function measurePrompt(body: CompletionBody): PromptParts {
  const weighed: PromptParts = { texts: [], tokens: PRIMING, images: 0 }
  for (const message of listOf(body.messages)) {
    weighed.tokens += PER_MESSAGE
    weigh(message, weighed)
  }
  for (const tool of [...listOf(body.tools), ...listOf(body.functions)]) {
    weighed.tokens += PER_TOOL
    weighed.texts.push(JSON.stringify(tool))
  }
  for (const [name, value] of Object.entries(body)) {
    if (NOT_PROMPT.has(name)) continue
    if (typeof value === 'string') weighed.texts.push(value)
    else if (isObject(value)) weighed.texts.push(JSON.stringify(value))
  }
  return weighed
}

/** Every text of a message, wherever it stands. Its role and the types of its parts are in PER_MESSAGE. */
function weigh(value: unknown, weighed: PromptParts): void {
  if (typeof value === 'string') weighed.texts.push(value)
  else if (Array.isArray(value)) for (const item of value) weigh(item, weighed)
  else if (isObject(value)) weighPart(value, weighed)
}

function weighPart(part: UnknownRecord, weighed: PromptParts): void {
  if (part.type === 'image_url') weighImage(part.image_url, weighed)
  else if (part.type === 'input_audio' || part.type === 'file' || part.type === 'video_url')
    weighed.tokens += fileTokens(part[part.type])
  else
    for (const [name, inner] of Object.entries(part)) {
      if (name !== 'role' && name !== 'type') weigh(inner, weighed)
    }
}

function weighImage(image: unknown, weighed: PromptParts): void {
  const url = isObject(image) ? image.url : image
  const isLow = isObject(image) && image.detail === 'low'
  const isSmall = typeof url === 'string' && url.startsWith('data:') && bytesOf(url) < SMALL_BYTES
  weighed.images++
  weighed.tokens += Math.min(isSmall ? IMAGE.small : IMAGE.most, isLow ? IMAGE.low : IMAGE.most)
}

/** Tokens of a recording, document or film: by the bytes that came along, else a fixed bound for what is linked. */
function fileTokens(file: unknown): number {
  const inline = Object.values(isObject(file) ? file : { file }).filter(
    (part) => typeof part === 'string' && (part.startsWith('data:') || part.length > 2_048),
  ) as string[]
  if (inline.length === 0) return LINKED_FILE
  return inline.reduce((sum, part) => sum + Math.max(IMAGE.most, Math.ceil(bytesOf(part) / FILE_BYTES_PER_TOKEN)), 0)
}

const bytesOf = (base64: string) => (base64.length * 3) / 4
