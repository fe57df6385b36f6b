import { z } from 'zod'
import type { AppError } from '../errors'

/** Fields that would choose another model or buy what is not priced here. */
const REFUSED = [
  'models',
  'route',
  'provider',
  'plugins',
  'web_search_options',
  'background',
  'audio',
] as const satisfies readonly string[]

/** Fields that are not passed on: they would store data with the provider, or choose another price. */
const DROPPED = ['store', 'service_tier'] as const satisfies readonly string[]

const Message = z.looseObject({
  role: z.string('must be a role, such as user').min(1),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() })), z.null()]).optional(),
})

/** Levels of nesting in a request; what walks a deeper one would run out of stack. */
const MOST_LEVELS = 200

function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth < MOST_LEVELS && level.length > 0; depth++) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return level.length > 0
}

/**
 * A chat-completions request: what we act on is checked, every other field passes through as it came.
 * Whole numbers and limits are checked where they are priced, in `models/meter`.
 */
export const ChatRequest = z
  .looseObject({
    model: z.string('must name a model').min(1),
    messages: z.array(Message).min(1, 'must have at least one message'),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    modalities: z.array(z.string()).nullish(),
  })
  .superRefine((body, check) => {
    if (isTooDeep(body)) check.addIssue({ code: 'custom', path: [], message: 'is nested too deeply' })
    for (const field of REFUSED) {
      if (body[field] != null) check.addIssue({ code: 'custom', path: [field], message: 'is not supported here' })
    }
    if (body.modalities?.some((kind) => kind !== 'text')) {
      check.addIssue({ code: 'custom', path: ['modalities'], message: 'only text is supported here' })
    }
  })
export type ChatRequest = z.infer<typeof ChatRequest>

/** The request without what is not passed on, and with one limit where two were sent: the one that is paid for. */
export const withoutDropped = (body: ChatRequest): ChatRequest => {
  const kept = { ...body }
  for (const field of DROPPED) delete kept[field]
  if (kept.max_completion_tokens != null) delete kept.max_tokens
  return kept
}

/** A parsed `chat.completion.chunk`. */
type Chunk = Record<string, unknown>

/** One event of a billed stream. Exactly one carries what was charged; an error is always the last. */
export type StreamPiece =
  | { kind: 'chunk'; chunk: Chunk; charged?: number }
  | { kind: 'error'; error: AppError; charged: number }
