import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { CompletionChunk } from '../../completion'
import { callToChat, finishReasonOf } from './answer-to-chat'
import { isLastEvent } from './facts'
import { reasoningDetails, reasoningText } from './reasoning'
import { usageToChat } from './usage'

/** What has been translated of a stream. */
type Seen = {
  head: UnknownRecord
  /** Position of each call among the calls, by its item's place in the output. */
  calls: Map<unknown, number>
  /** Items of which text has come in pieces. */
  inPieces: Set<unknown>
  /** The kind of event that brought an item's reasoning: some providers send it twice. */
  thoughts: Map<unknown, string>
  details: number
}

const REASONING = /^response\.(reasoning_text|reasoning_summary_text)\.delta$/

/** The call's place; a new call gets the next one. */
function callIndex({ calls }: Seen, place: unknown): number {
  const known = calls.get(place)
  if (known !== undefined) return known
  calls.set(place, calls.size)
  return calls.size - 1
}

function deltaToChat(seen: Seen, event: CompletionChunk): UnknownRecord[] {
  const { type, delta, output_index: place } = event
  if (typeof type !== 'string' || typeof delta !== 'string' || delta === '') return []
  seen.inPieces.add(place)
  if (type === 'response.output_text.delta') return [{ content: delta }]
  if (type === 'response.refusal.delta') return [{ refusal: delta }]
  if (REASONING.test(type)) {
    if ((seen.thoughts.get(place) ?? type) !== type) return []
    seen.thoughts.set(place, type)
    return [{ reasoning: delta }]
  }
  const index = callIndex(seen, place)
  if (type === 'response.function_call_arguments.delta')
    return [{ tool_calls: [{ index, function: { arguments: delta } }] }]
  if (type === 'response.custom_tool_call_input.delta') return [{ tool_calls: [{ index, custom: { input: delta } }] }]
  return []
}

/** A call's first piece, without what follows in pieces. */
function begunCall(seen: Seen, place: unknown, item: UnknownRecord): UnknownRecord[] {
  const call = callToChat({ ...item, arguments: '', input: '' })
  return call ? [{ tool_calls: [{ index: callIndex(seen, place), ...call }] }] : []
}

/** What an item says that has ended, as far as it has not come in pieces. */
function endedItem(seen: Seen, place: unknown, item: UnknownRecord): UnknownRecord[] {
  const isNew = !seen.inPieces.has(place)
  seen.inPieces.add(place)
  if (item.type === 'reasoning') {
    const reasoning = isNew ? reasoningText(item) : ''
    const details = reasoningDetails(item, seen.details)
    seen.details += details.length
    return [
      ...(reasoning === '' ? [] : [{ reasoning }]),
      ...(details.length === 0 ? [] : [{ reasoning_details: details }]),
    ]
  }
  if (!isNew) return []
  if (item.type === 'message')
    return recordsIn(item.content).map(({ text, refusal }) =>
      refusal === undefined ? { content: text ?? '' } : { refusal },
    )
  const isBegun = seen.calls.has(place)
  const call = callToChat(item)
  if (!call) return []
  const { id: _id, type: _type, function: called, custom } = call
  const rest = isRecord(called)
    ? { function: { arguments: called.arguments } }
    : { custom: { input: isRecord(custom) ? custom.input : '' } }
  return [{ tool_calls: [{ index: callIndex(seen, place), ...(isBegun ? rest : call) }] }]
}

function deltasOf(seen: Seen, event: CompletionChunk): UnknownRecord[] {
  const { type, item, output_index: place } = event
  if (type === 'response.output_item.added' && isRecord(item)) return begunCall(seen, place, item)
  if (type === 'response.output_item.done' && isRecord(item)) return endedItem(seen, place, item)
  // A second part of a summary is a paragraph of its own.
  if (type === 'response.reasoning_summary_part.added' && Number(event.summary_index) > 0 && seen.thoughts.has(place))
    return [{ reasoning: '\n\n' }]
  return deltaToChat(seen, event)
}

/** The end of a stream: what had not come yet, why it ended, and the usage. */
function endOf(seen: Seen, response: UnknownRecord): CompletionChunk[] {
  const missing = recordsIn(response.output).flatMap((item, place) =>
    seen.inPieces.has(place) ? [] : endedItem(seen, place, item),
  )
  const reason = seen.calls.size > 0 && response.incomplete_details == null ? 'tool_calls' : finishReasonOf(response)
  const usage = usageToChat(response.usage)
  return [
    ...missing.map((delta) => chunkOf(seen, delta)),
    chunkOf(seen, {}, reason),
    ...(usage ? [{ ...seen.head, choices: [], usage }] : []),
  ]
}

const chunkOf = ({ head }: Seen, delta: UnknownRecord, finish_reason: string | null = null): CompletionChunk => ({
  ...head,
  choices: [{ index: 0, delta, finish_reason }],
})

/** Translates the events of one stream, in their order, to chunks of chat form. */
export function makeResponsesTranslator(): (event: CompletionChunk) => CompletionChunk[] {
  const seen: Seen = {
    head: { object: 'chat.completion.chunk' },
    calls: new Map(),
    inPieces: new Set(),
    thoughts: new Map(),
    details: 0,
  }
  return (event) => {
    const { type, response } = event
    if (type === 'response.created' && isRecord(response)) {
      const { id, created_at: created, model } = response
      seen.head = { id, object: 'chat.completion.chunk', created, model }
      return [chunkOf(seen, { role: 'assistant', content: '' })]
    }
    if (isLastEvent(event) && isRecord(response)) return endOf(seen, response)
    return deltasOf(seen, event).map((delta) => chunkOf(seen, delta))
  }
}
