import type { CompletionBody, WireName } from '../completion'

/** Something of a request that an upstream of another wire does not get. */
export type NotCarried = {
  what: string
  /** How each wire that has it sends it: fields of a request. */
  sent: Partial<Record<WireName, CompletionBody>>
  /** The upstreams' wire. */
  to: WireName
  /** `refused`: 400 that names it, because the answer would be another. `dropped`: left out. */
  outcome: 'refused' | 'dropped'
}

const LOGIT_BIAS = { logit_bias: { 50256: -100 } }
const FUNCTIONS = { functions: [{ name: 'weather', parameters: { type: 'object', properties: {} } }] }
const PREDICTION = { prediction: { type: 'content', content: 'as before' } }

/**
 * All that is lost between wires. Everything else in a request is carried; within one wire nothing
 * is lost but what no upstream gets. `docs/guides/wires.md` is written from it, and
 * `tests/contract/wires` sends every row.
 */
export const NOT_CARRIED: readonly NotCarried[] = [
  {
    what: 'stop sequences',
    sent: { chat: { stop: ['END'] }, messages: { stop_sequences: ['END'] } },
    to: 'responses',
    outcome: 'refused',
  },
  { what: 'several choices', sent: { chat: { n: 2 } }, to: 'responses', outcome: 'refused' },
  { what: 'several choices', sent: { chat: { n: 2 } }, to: 'messages', outcome: 'refused' },
  { what: 'biased tokens', sent: { chat: LOGIT_BIAS }, to: 'responses', outcome: 'refused' },
  { what: 'biased tokens', sent: { chat: LOGIT_BIAS }, to: 'messages', outcome: 'refused' },
  { what: 'functions in their first form', sent: { chat: FUNCTIONS }, to: 'responses', outcome: 'refused' },
  { what: 'functions in their first form', sent: { chat: FUNCTIONS }, to: 'messages', outcome: 'refused' },
  { what: 'a predicted output', sent: { chat: PREDICTION }, to: 'responses', outcome: 'refused' },
  { what: 'a predicted output', sent: { chat: PREDICTION }, to: 'messages', outcome: 'refused' },
  {
    what: 'log probabilities',
    sent: { chat: { logprobs: true }, responses: { top_logprobs: 3 } },
    to: 'messages',
    outcome: 'refused',
  },
  { what: 'a seed', sent: { chat: { seed: 7 } }, to: 'responses', outcome: 'dropped' },
  { what: 'a seed', sent: { chat: { seed: 7 } }, to: 'messages', outcome: 'dropped' },
  {
    what: 'penalties',
    sent: {
      chat: { presence_penalty: 0.5, frequency_penalty: 0.5 },
      responses: { presence_penalty: 0.5, frequency_penalty: 0.5 },
    },
    to: 'messages',
    outcome: 'dropped',
  },
  { what: 'top k', sent: { messages: { top_k: 5 } }, to: 'chat', outcome: 'dropped' },
  { what: 'top k', sent: { messages: { top_k: 5 } }, to: 'responses', outcome: 'dropped' },
  {
    what: 'metadata',
    sent: { responses: { metadata: { run: '7' } }, messages: { metadata: { user_id: 'u7' } } },
    to: 'chat',
    outcome: 'dropped',
  },
  { what: 'metadata', sent: { messages: { metadata: { user_id: 'u7' } } }, to: 'responses', outcome: 'dropped' },
  {
    what: 'metadata',
    sent: { chat: { metadata: { run: '7' } }, responses: { metadata: { run: '7' } } },
    to: 'messages',
    outcome: 'dropped',
  },
  {
    what: 'what to leave out of a long input',
    sent: { responses: { truncation: 'auto' } },
    to: 'chat',
    outcome: 'dropped',
  },
  {
    what: 'what to leave out of a long input',
    sent: { responses: { truncation: 'auto' } },
    to: 'messages',
    outcome: 'dropped',
  },
  {
    what: 'fields that we do not know',
    sent: { responses: { x_unknown: 1 }, messages: { x_unknown: 1 } },
    to: 'chat',
    outcome: 'dropped',
  },
  {
    what: 'fields that we do not know',
    sent: { chat: { x_unknown: 1 }, messages: { x_unknown: 1 } },
    to: 'responses',
    outcome: 'dropped',
  },
  {
    what: 'fields that we do not know',
    sent: { chat: { x_unknown: 1 }, responses: { x_unknown: 1 } },
    to: 'messages',
    outcome: 'dropped',
  },
]
