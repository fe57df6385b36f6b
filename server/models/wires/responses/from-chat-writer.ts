import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { CompletionChunk, TokenUsage } from '../../completion'
import { textOfParts } from './content-to-chat'
import type { OpenItem, ResponseEvent } from './event'
import { type OpenCall, openCall } from './open-call'
import { type OpenMessage, openMessage } from './open-message'
import { type OpenReasoning, openReasoning } from './open-reasoning'
import type { ReasoningField } from './reasoning'
import { idFor, type ResponseHead, responseBase } from './response'
import { type NamedTool, toolsByChatName } from './tool-names'
import { writeResponsesUsage } from './usage'

/** Writes one response, event by event. */
export type ResponseWriter = {
  accept: (chunk: CompletionChunk) => ResponseEvent[]
  /** The last events; the very last has the whole response. */
  end: (bill: { usage: TokenUsage; estimated: boolean }) => ResponseEvent[]
  /** The same for a stream that failed. */
  fail: (error: { code: string; message: string }) => ResponseEvent[]
}

/** A call whose pieces are coming. Until its name is there, it cannot be written. */
type Call = { id: string; name: string; waiting: string; open: OpenCall | null }

type State = {
  base: UnknownRecord
  requestId: string
  tools: ReadonlyMap<string, NamedTool>
  isBegun: boolean
  places: number
  output: Map<number, UnknownRecord>
  message: OpenMessage | null
  reasoning: OpenReasoning | null
  calls: Map<unknown, Call>
  finishReason: string | null
}

/** Writes a response from the chunks, or the one answer, of chat form. */
export function makeFromChatWriter(head: ResponseHead): ResponseWriter {
  const state: State = {
    base: responseBase(head),
    requestId: head.id,
    tools: toolsByChatName(head.body),
    isBegun: false,
    places: 0,
    output: new Map(),
    message: null,
    reasoning: null,
    calls: new Map(),
    finishReason: null,
  }
  return {
    accept: (chunk) => [...begin(state), ...acceptChunk(state, chunk)],
    end: ({ usage }) => {
      const reason = INCOMPLETE[state.finishReason ?? ''] ?? null
      const status = reason === null ? 'completed' : 'incomplete'
      const events = [...begin(state), ...endItems(state, status)]
      const response = {
        ...state.base,
        status,
        completed_at: Math.floor(Date.now() / 1000),
        incomplete_details: reason === null ? null : { reason },
        output: outputOf(state),
        usage: writeResponsesUsage(usage),
      }
      return [...events, { type: `response.${status}`, response }]
    },
    fail: (error) => [
      ...begin(state),
      { type: 'response.failed', response: { ...state.base, status: 'failed', error, output: outputOf(state) } },
    ],
  }
}

/** Why a response is not complete, by why a choice of chat form ended. */
const INCOMPLETE: Record<string, string> = { length: 'max_output_tokens', content_filter: 'content_filter' }

/** The items that have ended, in the order in which they began. */
const outputOf = ({ output }: State): UnknownRecord[] => [...output].sort(([a], [b]) => a - b).map(([, item]) => item)

function begin(state: State): ResponseEvent[] {
  if (state.isBegun) return []
  state.isBegun = true
  const { base: response } = state
  return [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
  ]
}

/** A place in the output with the id of the item in it. */
function nextPlace(state: State, prefix: string): [id: string, place: number] {
  const place = state.places++
  return [idFor(prefix, state.requestId, place), place]
}

function endItem(state: State, item: OpenItem | null, status: 'completed' | 'incomplete'): ResponseEvent[] {
  if (!item) return []
  const ended = item.end(status)
  state.output.set(item.place, ended.item)
  return ended.events
}

function endMessage(state: State, status: 'completed' | 'incomplete' = 'completed'): ResponseEvent[] {
  const { message } = state
  state.message = null
  return endItem(state, message, status)
}

function endReasoning(state: State): ResponseEvent[] {
  const { reasoning } = state
  state.reasoning = null
  return endItem(state, reasoning, 'completed')
}

function endItems(state: State, status: 'completed' | 'incomplete'): ResponseEvent[] {
  const calls = [...state.calls.values()]
  state.calls.clear()
  return [
    ...endReasoning(state),
    ...endMessage(state, status),
    ...calls.flatMap(({ open }) => endItem(state, open, status)),
  ]
}

function acceptChunk(state: State, { choices }: CompletionChunk): ResponseEvent[] {
  const choice = recordsIn(choices).find(({ index }) => index === undefined || index === 0)
  if (!choice) return []
  if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') state.finishReason = choice.finish_reason
  const said = isRecord(choice.delta) ? choice.delta : choice.message
  if (!isRecord(said)) return []
  const logprobs = isRecord(choice.logprobs) && Array.isArray(choice.logprobs.content) ? choice.logprobs.content : []
  return [
    ...addReasoning(state, said),
    ...addText(state, 'output_text', textOfParts(said.content), logprobs),
    ...addText(state, 'refusal', textOfParts(said.refusal)),
    ...recordsIn(said.tool_calls).flatMap((call, position) => addCall(state, call, position)),
  ]
}

/** The text of details in which providers send it. Many repeat it in a field of its own. */
const detailText = ({ type, text, summary }: UnknownRecord): string =>
  type === 'reasoning.text' ? String(text ?? '') : type === 'reasoning.summary' ? String(summary ?? '') : ''

function addReasoning(state: State, said: UnknownRecord): ResponseEvent[] {
  const details = recordsIn(said.reasoning_details)
  const field: ReasoningField = said.reasoning_content ? 'reasoning_content' : 'reasoning'
  const ofDetails = details.map(detailText).join('')
  const text = textOfParts(said[field]) || ofDetails
  if (text === '' && details.length === 0) return []
  const begun: ResponseEvent[] = []
  if (!state.reasoning) {
    begun.push(...endMessage(state))
    state.reasoning = openReasoning(...nextPlace(state, 'rs'))
    begun.push(...state.reasoning.begin())
  }
  state.reasoning.addDetails(details)
  const isField = textOfParts(said[field]) !== ''
  return text === '' ? begun : [...begun, ...state.reasoning.addText(text, isField ? field : null)]
}

function addText(
  state: State,
  kind: 'output_text' | 'refusal',
  text: string,
  logprobs: unknown[] = [],
): ResponseEvent[] {
  if (text === '') return []
  const begun = endReasoning(state)
  if (!state.message) {
    state.message = openMessage(...nextPlace(state, 'msg'))
    begun.push(...state.message.begin())
  }
  return [...begun, ...state.message.add(kind, text, logprobs)]
}

function addCall(state: State, call: UnknownRecord, position: number): ResponseEvent[] {
  const key = call.index ?? position
  const known = state.calls.get(key) ?? { id: '', name: '', waiting: '', open: null }
  state.calls.set(key, known)
  const called = isRecord(call.function) ? call.function : isRecord(call.custom) ? call.custom : {}
  if (typeof call.id === 'string') known.id ||= call.id
  if (typeof called.name === 'string') known.name ||= called.name
  const piece = called.arguments ?? called.input
  known.waiting += typeof piece === 'string' ? piece : piece == null ? '' : JSON.stringify(piece)
  if (known.name === '') return []
  const begun: ResponseEvent[] = []
  if (!known.open) {
    begun.push(...endReasoning(state), ...endMessage(state))
    const [id, place] = nextPlace(state, 'fc')
    const origin = state.tools.get(known.name)?.origin ?? { kind: 'function', name: known.name }
    const callId = known.id || idFor('call', state.requestId, place)
    known.open = openCall(origin, { id, callId, place })
    begun.push(...known.open.begin())
  }
  const args = known.waiting
  known.waiting = ''
  return args === '' ? begun : [...begun, ...known.open.add(args)]
}
