import { isRecord, type UnknownRecord } from '../../../kit/record'
import type { CompletionBody } from '../../completion'

/** What of a request a response repeats, and what it says where the request is silent. */
const REPEATED: UnknownRecord = {
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  prompt_cache_key: null,
  safety_identifier: null,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  truncation: 'disabled',
  user: null,
}

/** A response's id, made of the request's, and the ids of what belongs to it. */
export const idFor = (prefix: string, requestId: string, place?: number): string =>
  `${prefix}_${requestId.replaceAll('-', '')}${place === undefined ? '' : `_${place}`}`

export type ResponseHead = {
  /** The request's id. */
  id: string
  /** Our model id. */
  model: string
  body: CompletionBody
}

/** What every state of one response has in common. */
export function responseBase({ id, model, body }: ResponseHead): UnknownRecord {
  const { text, reasoning } = body
  return {
    id: idFor('resp', id),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    completed_at: null,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    model,
    output: [],
    previous_response_id: null,
    reasoning: { effort: null, summary: null, ...(isRecord(reasoning) && reasoning) },
    service_tier: 'default',
    store: false,
    text: { format: { type: 'text' }, ...(isRecord(text) && text) },
    usage: null,
    ...Object.fromEntries(Object.entries(REPEATED).map(([name, silent]) => [name, body[name] ?? silent])),
  }
}
