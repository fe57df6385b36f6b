import { z } from 'zod'
import { invalidRequest } from '../../../errors'
import type { CompletionBody, CompletionRequest, ModelRequest, OutputLimit } from '../../completion'
import { mediaInChat } from './media'
import { measureChatPrompt } from './prompt'

/** Fields that would choose another model or buy what has no price here. */
const REFUSED = ['models', 'route', 'provider', 'plugins', 'web_search_options', 'background', 'audio'] as const

/**
 * Fields that are not passed on: they would store data at the provider, or choose another price.
 */
const DROPPED = ['store', 'service_tier'] as const

const MAX_CHOICES = 8
/** Below any upstream's own limit, above any context. */
const MAX_TOKENS = 1e9

const Message = z.looseObject({
  role: z.string('must be a role, such as user').min(1),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() })), z.null()]).optional(),
})

const ONE_MODEL =
  'is not supported here: name one model. The operator gives it several upstreams, which are tried in order'

/**
 * A chat-completions request: what we act on is checked, every other field passes through as it
 * came.
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
    for (const field of REFUSED) {
      if (body[field] == null) continue
      const message = field === 'models' ? ONE_MODEL : 'is not supported here'
      check.addIssue({ code: 'custom', path: [field], message })
    }
    if (body.modalities?.some((kind) => kind !== 'text')) {
      check.addIssue({ code: 'custom', path: ['modalities'], message: 'only text is supported here' })
    }
  })
export type ChatRequest = z.infer<typeof ChatRequest>

/**
 * What a chat request asks for. Throws `invalid_request` for a limit that is not a whole number in
 * range.
 */
export const readChatRequest = (given: ChatRequest): CompletionRequest => ({
  ...chatModelRequest(upstreamBody(given)),
  model: given.model,
  isStream: given.stream === true,
  limit: readOutputLimit(given),
  measurePrompt: measureChatPrompt,
  media: mediaInChat,
})

/** A chat body made here, such as an agent's, as a request to a model of any wire. */
export const chatModelRequest = (body: CompletionBody): ModelRequest => ({
  wire: 'chat',
  isStream: false,
  body,
  toChat: (same) => same,
})

/**
 * The limits a caller set: `max_completion_tokens`, else `max_tokens`, and `n`. Throws
 * `invalid_request`.
 */
export function readOutputLimit(body: CompletionBody): OutputLimit {
  const name = body.max_completion_tokens == null ? 'max_tokens' : 'max_completion_tokens'
  return {
    outputTokens: body[name] == null ? null : wholeNumberIn(body, name, MAX_TOKENS),
    n: body.n == null ? 1 : wholeNumberIn(body, 'n', MAX_CHOICES),
  }
}

function wholeNumberIn(body: CompletionBody, name: string, max: number): number {
  const value = body[name]
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value
  throw invalidRequest([{ path: [name], message: `must be a whole number from 1 to ${max}` }])
}

/** The body without what is not passed on. Of two limits, only the one that is paid for stays. */
function upstreamBody(given: ChatRequest): CompletionBody {
  const body: CompletionBody = { ...given }
  for (const field of DROPPED) delete body[field]
  if (body.max_completion_tokens != null) delete body.max_tokens
  return body
}
