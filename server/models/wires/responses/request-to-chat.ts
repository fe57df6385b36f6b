import { isRecord } from '../../../kit/record'
import type { CompletionBody } from '../../completion'
import { messagesToChat } from './items-to-chat'
import { responsesToolsToChat } from './tools-to-chat'

/** Fields that mean the same in both. */
const SAME = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'seed', 'stop', 'top_k', 'user'] as const

function formatToChat(text: unknown): CompletionBody {
  if (!isRecord(text)) return {}
  const { format, verbosity } = text
  const kept = verbosity == null ? {} : { verbosity }
  if (!isRecord(format) || format.type === 'text') return kept
  if (format.type !== 'json_schema') return { ...kept, response_format: { type: format.type } }
  const { type, ...schema } = format
  return { ...kept, response_format: { type, json_schema: schema } }
}

/**
 * A request of this wire in chat form. Left out is what has no meaning there: `include`,
 * `metadata`, `truncation`, `prompt_cache_key`, the summary of reasoning, and fields that we do not
 * know. Throws `invalid_request` for items, parts and tools that chat does not have.
 */
export function responsesToChat(body: CompletionBody): CompletionBody {
  const { max_output_tokens: limit, reasoning, top_logprobs: logprobs, include } = body
  const effort = isRecord(reasoning) ? reasoning.effort : undefined
  const wantsLogprobs = Array.isArray(include) && include.includes('message.output_text.logprobs')
  return {
    model: body.model,
    messages: messagesToChat(body),
    ...Object.fromEntries(SAME.flatMap((name) => (body[name] == null ? [] : [[name, body[name]]]))),
    ...(limit != null && { max_completion_tokens: limit }),
    ...(effort != null && { reasoning_effort: effort }),
    ...((wantsLogprobs || logprobs != null) && { logprobs: true }),
    ...(logprobs != null && { top_logprobs: logprobs }),
    ...formatToChat(body.text),
    ...responsesToolsToChat(body),
  }
}
