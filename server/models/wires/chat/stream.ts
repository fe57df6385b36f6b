import type { CompletionChunk } from '../../completion'
import type { BilledEvent, PieceWriter, StreamPiece } from '../wire'
import { writeUsage } from './usage'

/** An answer's id, made of the request's: its receipt is found by either. */
export const completionId = (requestId: string): string => `chatcmpl-${requestId.replaceAll('-', '')}`

export type ChatStreamOptions = {
  /** The answer's id. */
  id: string
  /** Our model id. */
  model: string
  /** Number of choices. */
  n: number
  /** The caller asked for a usage chunk. */
  includeUsage: boolean
}

type ChunkEvent = Extract<BilledEvent, { kind: 'chunk' }>
type EndEvent = Extract<BilledEvent, { kind: 'end' }>

type StreamState = {
  /** The latest chunk that went out or waits. */
  last: CompletionChunk | null
  /**
   * A chunk that ended a choice, and what followed it: the first of them may have to carry the
   * charge.
   */
  waiting: CompletionChunk[]
  endedChoices: Set<unknown>
  /** The upstream's usage object, once it can be believed. */
  usage: unknown
}

/**
 * A billed stream as chat-completions chunks: our model id on each, usage only for callers who
 * asked, and the charge on exactly one: the usage chunk, or else the last chunk that ends a choice.
 */
export function openChatStream(options: ChatStreamOptions): PieceWriter {
  const state: StreamState = { last: null, waiting: [], endedChoices: new Set(), usage: undefined }
  return (event) => {
    if (event.kind === 'chunk') return acceptChunk(state, event, options).map(withoutCharge)
    if (event.kind === 'end') return lastPieces(state, event, options)
    return [...state.waiting.splice(0).map(withoutCharge), event]
  }
}

const withoutCharge = (chunk: CompletionChunk): StreamPiece => ({ kind: 'chunk', chunk })

/** Takes one chunk in, and returns those that can go out now. */
function acceptChunk(state: StreamState, event: ChunkEvent, options: ChatStreamOptions): CompletionChunk[] {
  const { usage, endedChoices, isEmpty } = event.facts
  if (usage) state.usage = event.chunk.usage
  if (isEmpty) return []
  const chunk = outgoing(event.chunk, options)
  state.last = chunk
  for (const index of endedChoices) state.endedChoices.add(index)
  if (options.includeUsage) return [chunk]
  const endsChoice = endedChoices.length > 0
  const allEnded = state.endedChoices.size >= options.n
  const ready = endsChoice || !allEnded ? state.waiting.splice(0) : []
  if (!endsChoice && !allEnded) return [...ready, chunk]
  state.waiting.push(chunk)
  return ready
}

/**
 * The end of a stream: the usage chunk, or the chunks that waited, of which the first has the
 * charge.
 */
function lastPieces(state: StreamState, { bill, charged }: EndEvent, options: ChatStreamOptions): StreamPiece[] {
  const base = { ...(state.last ?? emptyChunk(options)), choices: [] as unknown[] }
  if (options.includeUsage) {
    const usage = bill.estimated ? writeUsage(bill.usage) : state.usage
    return [{ kind: 'chunk', chunk: { ...base, usage }, charged }]
  }
  const [first = { ...base, choices: [stopOf(state, options)] }, ...rest] = state.waiting
  return [{ kind: 'chunk', chunk: first, charged }, ...rest.map(withoutCharge)]
}

/**
 * A chunk under our ids of answer and model, without the upstream's usage and without a charge that
 * only we may name.
 */
const outgoing = (
  { usage: _usage, service: _service, ...chunk }: CompletionChunk,
  { id, model, includeUsage }: ChatStreamOptions,
): CompletionChunk => ({ ...chunk, id, model, ...(includeUsage && { usage: null }) })

/** Ends the first choice that the upstream left open. */
const stopOf = ({ endedChoices }: StreamState, { n }: ChatStreamOptions) => ({
  index: Math.max(
    0,
    Array.from({ length: n }, (_, i) => i).findIndex((i) => !endedChoices.has(i)),
  ),
  delta: {},
  finish_reason: 'stop',
})

const emptyChunk = ({ id, model }: ChatStreamOptions): CompletionChunk => ({
  id,
  object: 'chat.completion.chunk',
  created: Math.floor(Date.now() / 1000),
  model,
})
