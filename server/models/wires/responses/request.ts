import { z } from 'zod'
import type { CompletionBody, CompletionRequest } from '../../completion'
import { withoutHostedTools } from './client-tools'
import { mediaInResponses } from './media'
import { measureResponsesPrompt } from './prompt'
import { responsesToChat } from './request-to-chat'

const SEND_ALL = 'nothing is stored here: send the whole conversation in input, with store: false'

/** Fields that would need something stored, choose another model, or buy what has no price here. */
const REFUSED: Record<string, string> = {
  previous_response_id: `is not supported here, because ${SEND_ALL}`,
  conversation: `is not supported here, because ${SEND_ALL}`,
  background: 'is not supported here: wait for the answer, or stream it',
  prompt: 'is not supported here: send instructions and input instead of a stored prompt',
  models: 'is not supported here',
  route: 'is not supported here',
  provider: 'is not supported here',
  plugins: 'is not supported here',
  web_search_options: 'is not supported here',
  audio: 'is not supported here',
}

/**
 * Fields that are not passed on: those that are refused where they ask for anything, and those that
 * would store data at the provider or choose another price.
 */
const DROPPED = [...Object.keys(REFUSED), 'store', 'service_tier'] as const

/** Below any upstream's own limit, above any context. */
const MAX_TOKENS = 1e9

const Item = z.looseObject({
  type: z.string().nullish(),
  role: z.string().nullish(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() })), z.null()]).optional(),
})
type Item = z.infer<typeof Item>

/** True for a mere id of an item: with or without its type. */
const isReference = ({ type, role }: Item): boolean => type === 'item_reference' || (type == null && role == null)

/** A request of the Responses API: what we act on is checked, all else passes as it came. */
export const ResponsesRequest = z
  .looseObject({
    model: z.string('must name a model').min(1),
    input: z.union(
      [z.string(), z.array(Item).min(1, 'must have at least one item')],
      'must be a text or a list of items',
    ),
    instructions: z.string().nullish(),
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
    for (const [i, item] of (Array.isArray(body.input) ? body.input : []).entries()) {
      if (isReference(item)) wrong(['input', i], `is an item_reference, and ${SEND_ALL}`)
    }
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
