import { z } from 'zod'
import type { CompletionBody, CompletionRequest } from '../../completion'
import { withoutHostedTools } from './client-tools'
import { mediaInResponses } from './media'
import { measureResponsesPrompt } from './prompt'
import { responsesToChat } from './request-to-chat'

/** Fields that would choose another model or a stored prompt, or buy what has no price here. */
const REFUSED: Record<string, string> = {
  prompt: 'is not supported here: send instructions and input instead of a stored prompt',
  models: 'is not supported here',
  route: 'is not supported here',
  provider: 'is not supported here',
  plugins: 'is not supported here',
  web_search_options: 'is not supported here',
  audio: 'is not supported here',
}

/**
 * Fields that are not passed on: those that are refused where they ask for anything, those of what
 * is kept here, and those that would store data at the provider or choose another price.
 */
const DROPPED = [
  ...Object.keys(REFUSED),
  'store',
  'previous_response_id',
  'conversation',
  'background',
  'service_tier',
] as const

/** Below any upstream's own limit, above any context. */
const MAX_TOKENS = 1e9

/** One item of an input. */
export const ResponseItem = z.looseObject({
  type: z.string().nullish(),
  role: z.string().nullish(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() })), z.null()]).optional(),
})
export type ResponseItem = z.infer<typeof ResponseItem>

/** A request of the Responses API: what we act on is checked, all else passes as it came. */
export const ResponsesRequest = z
  .looseObject({
    model: z.string('must name a model').min(1),
    input: z.union(
      [z.string(), z.array(ResponseItem).min(1, 'must have at least one item')],
      'must be a text or a list of items',
    ),
    instructions: z.string().nullish(),
    store: z.boolean().nullish(),
    previous_response_id: z.string().max(200).nullish(),
    conversation: z.union([z.string().max(200), z.looseObject({ id: z.string().max(200) })]).nullish(),
    background: z.boolean().nullish(),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({}).nullish(),
    tools: z.array(z.looseObject({ type: z.string() })).nullish(),
    tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]).nullish(),
    text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
    reasoning: z.looseObject({}).nullish(),
    include: z.array(z.string()).nullish(),
    max_output_tokens: z
      .int(`must be a whole number from 1 to ${MAX_TOKENS}`)
      .min(1, `must be a whole number from 1 to ${MAX_TOKENS}`)
      .max(MAX_TOKENS, `must be a whole number from 1 to ${MAX_TOKENS}`)
      .nullish(),
    modalities: z.array(z.string()).nullish(),
  })
  .superRefine((body, check) => {
    const wrong = (path: (string | number)[], message: string) => check.addIssue({ code: 'custom', path, message })
    for (const [field, message] of Object.entries(REFUSED)) {
      if (body[field] != null && body[field] !== false) wrong([field], message)
    }
    if (body.modalities?.some((kind) => kind !== 'text')) wrong(['modalities'], 'only text is supported here')
    if (body.previous_response_id != null && body.conversation != null)
      wrong(['previous_response_id'], 'cannot be used together with conversation: each has a history')
    if (body.background && body.stream) wrong(['stream'], 'cannot be used with background: poll GET /responses/{id}')
    if (body.background && body.store === false) wrong(['store'], 'must not be false with background')
    if (body.conversation != null && body.store === false) wrong(['store'], 'must not be false with conversation')
  })
export type ResponsesRequest = z.infer<typeof ResponsesRequest>

/** The body without what is not passed on. */
function passedOn(given: ResponsesRequest): CompletionBody {
  const body: CompletionBody = { ...given }
  for (const field of DROPPED) delete body[field]
  return withoutHostedTools(body)
}

/** What a request asks for. Throws `invalid_request` for tools that it may not force. */
export function readResponsesRequest(given: ResponsesRequest): CompletionRequest {
  return {
    wire: 'responses',
    body: passedOn(given),
    toChat: responsesToChat,
    model: given.model,
    isStream: given.stream === true,
    limit: { outputTokens: given.max_output_tokens ?? null, n: 1 },
    measurePrompt: measureResponsesPrompt,
    media: mediaInResponses,
  }
}
