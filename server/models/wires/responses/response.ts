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

/** The id that one with this prefix was made of; null: it was not made here. */
export function uuidIn(prefix: string, id: string): string | null {
  const hex = id.startsWith(`${prefix}_`) ? id.slice(prefix.length + 1) : ''
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(hex)
  return parts ? parts.slice(1).join('-') : null
}

/** What a response says about what is kept of it. */
export type ResponseState = {
  store: boolean
  background: boolean
  previous_response_id: string | null
  conversation: { id: string } | null
}

export const NOT_KEPT: ResponseState = {
  store: false,
  background: false,
  previous_response_id: null,
  conversation: null,
}

export type ResponseHead = {
  /** The request's id. */
  id: string
  /** Our model id. */
  model: string
  body: CompletionBody
  state: ResponseState
}

/** What every state of one response has in common. */
export function responseBase({ id, model, body, state }: ResponseHead): UnknownRecord {
  const { text, reasoning } = body
  return {
    id: idFor('resp', id),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    completed_at: null,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    model,
    output: [],
    reasoning: { effort: null, summary: null, ...(isRecord(reasoning) && reasoning) },
    service_tier: 'default',
    ...state,
    text: { format: { type: 'text' }, ...(isRecord(text) && text) },
    usage: null,
    ...Object.fromEntries(Object.entries(REPEATED).map(([name, silent]) => [name, body[name] ?? silent])),
  }
}
