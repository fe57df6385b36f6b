import { z } from 'zod'
import { isRecord, recordsIn } from '../../../kit/record'
import type { CompletionBody, CompletionRequest } from '../../completion'
import { withDefaultCaching } from './caching'
import { mediaInMessages } from './media'
import { measureMessagesPrompt } from './prompt'
import { messagesBodyToChat } from './to-chat'
import { withoutServerTools } from './tools'

/**
 * Fields that would choose another model, keep state at the provider, or buy what has no price
 * here.
 */
const REFUSED = [
  'container',
  'mcp_servers',
  'fallbacks',
  'fallback_credit_token',
  'thread',
  'compaction',
  'inference_geo',
  'billing_policy',
] as const

/**
 * Fields that are not passed on: they would choose another price, or name the operator's other
 * calls.
 */
const DROPPED = ['service_tier', 'speed', 'diagnostics'] as const

/** Below any upstream's own limit, above any context. */
const MAX_TOKENS = 1e9

const Block = z.looseObject({ type: z.string('must be a string') })
const TextBlock = z.looseObject({ type: z.literal('text'), text: z.string() })
const Message = z.looseObject({
  role: z.enum(['user', 'assistant', 'system'], 'must be user, assistant or system'),
  content: z.union([z.string(), z.array(Block)], 'must be a text or a list of content blocks'),
})
const MaxTokens = z.number('is required: how many tokens the answer may have').int().min(1).max(MAX_TOKENS)

const Counted = z.looseObject({
  model: z.string('must name a model').min(1),
  messages: z.array(Message).min(1, 'must have at least one message'),
  system: z.union([z.string(), z.array(TextBlock)], 'must be a text or a list of text blocks').nullish(),
  tools: z.array(z.looseObject({ type: z.string().nullish(), name: z.string().optional() })).nullish(),
  tool_choice: z
    .looseObject({ type: z.enum(['auto', 'any', 'tool', 'none'], 'must be auto, any, tool or none') })
    .nullish(),
  thinking: z.looseObject({ type: z.string() }).nullish(),
  output_config: z.looseObject({}).nullish(),
  metadata: z.looseObject({}).nullish(),
})

type Check = { addIssue: (issue: { code: 'custom'; path: (string | number)[]; message: string }) => void }

function checkBody(body: CompletionBody, check: Check): void {
  const refuse = (path: (string | number)[], message: string) => check.addIssue({ code: 'custom', path, message })
  for (const field of REFUSED) if (body[field] != null) refuse([field], 'is not supported here')
  const { context_management: context } = body
  for (const [i, { type }] of recordsIn(isRecord(context) ? context.edits : null).entries()) {
    // A summary is written by another call to the model, outside the limit that is held for.
    if (String(type).startsWith('compact'))
      refuse(['context_management', 'edits', i], 'is not supported here; summarize in a request of your own')
  }
}

/**
 * A request of the messages API: what we act on is checked, every other field passes as it came.
 */
export const MessagesRequest = Counted.extend({
  max_tokens: MaxTokens,
  stream: z.boolean().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
}).superRefine(checkBody)
export type MessagesRequest = z.infer<typeof MessagesRequest>

/** A request whose tokens are counted: the same, without a limit. */
export const CountTokensRequest = Counted.extend({ max_tokens: MaxTokens.nullish() }).superRefine(checkBody)
export type CountTokensRequest = z.infer<typeof CountTokensRequest>

/** The caller's headers that an upstream of this wire gets. */
const PASSED_HEADERS = ['anthropic-version', 'anthropic-beta'] as const

/**
 * What a request of the messages API asks for. Throws `invalid_request` for a tool that it forces
 * and that is not passed on.
 */
export const readMessagesRequest = (
  given: MessagesRequest | CountTokensRequest,
  headers: Headers = new Headers(),
): CompletionRequest => ({
  wire: 'messages',
  model: given.model,
  isStream: given.stream === true,
  limit: { outputTokens: given.max_tokens ?? null, n: 1 },
  body: upstreamBody(given),
  toChat: messagesBodyToChat,
  measurePrompt: measureMessagesPrompt,
  media: mediaInMessages,
  headers: Object.fromEntries(
    PASSED_HEADERS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? '']] : [])),
  ),
})

/** The body without what is not passed on. */
function upstreamBody(given: CompletionBody): CompletionBody {
  const body = { ...given }
  for (const field of DROPPED) delete body[field]
  return withDefaultCaching(withoutServerTools(body))
}
