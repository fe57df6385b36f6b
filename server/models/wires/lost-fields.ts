import { type Adjustment, DROPPED } from '../abilities/shape'
import type { CompletionBody, WireName } from '../completion'
import { NOT_CARRIED } from './not-carried'

/** Fields that each wire has. What else a request has is lost in another wire. */
const FIELDS: Record<WireName, ReadonlySet<string>> = {
  chat: new Set(
    'model messages stream stream_options n max_tokens max_completion_tokens temperature top_p top_k min_p seed stop user metadata logprobs top_logprobs logit_bias presence_penalty frequency_penalty reasoning reasoning_effort parallel_tool_calls tools tool_choice functions function_call response_format prediction modalities prompt_cache_key prompt_cache_retention prompt_cache_options safety_identifier verbosity store service_tier'.split(
      ' ',
    ),
  ),
  responses: new Set(
    'model input instructions stream stream_options tools tool_choice parallel_tool_calls text reasoning include max_output_tokens temperature top_p top_k presence_penalty frequency_penalty top_logprobs seed stop metadata user safety_identifier prompt_cache_key prompt_cache_retention prompt_cache_options truncation modalities max_tool_calls store service_tier client_metadata'.split(
      ' ',
    ),
  ),
  messages: new Set(
    'model messages system max_tokens stream tools tool_choice temperature top_p top_k stop_sequences thinking output_config output_format metadata context_management cache_control'.split(
      ' ',
    ),
  ),
}

const lostIn = (from: WireName, to: WireName): ReadonlySet<string> =>
  new Set(
    NOT_CARRIED.filter((row) => row.to === to && row.outcome === 'dropped').flatMap(({ sent }) =>
      Object.keys(sent[from] ?? {}),
    ),
  )

const WIRES: readonly WireName[] = ['chat', 'responses', 'messages']
const LOST = new Map(WIRES.flatMap((from) => WIRES.map((to) => [`${from} ${to}`, lostIn(from, to)] as const)))

const asksForNothing = (value: unknown): boolean =>
  value == null || value === 0 || (typeof value === 'object' && Object.keys(value).length === 0)

/** The fields of a request that an upstream of another wire does not get. */
export function lostBetween(body: CompletionBody, from: WireName, to: WireName): Adjustment[] {
  const lost = LOST.get(`${from} ${to}`)
  return Object.keys(body).flatMap((field) =>
    (lost?.has(field) || !FIELDS[from].has(field)) && !asksForNothing(body[field]) ? [{ field, now: DROPPED }] : [],
  )
}
