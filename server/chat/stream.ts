import { AppError } from '../errors'
import { withTimeout } from '../kit/with-timeout'
import type { ChunkFacts, CompletionEvent, ReportedUsage } from '../models/completion'
import type { BilledEvent } from '../models/wires/wire'
import { type CallOutcome, type HeldCall, settleCall } from './settle'

/** Longest wait for usage once every choice has ended. */
const USAGE_WAIT_MS = 5_000
/** Chunks read after every choice has ended. */
const MAX_CHUNKS_AFTER_END = 1_000

export const CLIENT_DISCONNECTED = 'The client disconnected.'

/** What has been read of an upstream's stream. */
type StreamState = {
  events: AsyncIterator<CompletionEvent>
  usage: ReportedUsage | null
  endedChoices: Set<unknown>
  /** When to stop waiting for usage; null while a choice is open. */
  deadline: number | null
  chunksAfterEnd: number
  /** The upstream has ended the stream. */
  isDrained: boolean
  isSettled: boolean
}

/**
 * An upstream's stream with its bill at the end. Settles once, when the stream ends: at the
 * reported usage, or, where none comes or the client disconnects, at what was counted. Returning
 * from it early cancels the upstream.
 */
export async function* billedStream(
  call: HeldCall,
  source: AsyncIterable<CompletionEvent>,
  cancel: AbortController,
): AsyncGenerator<BilledEvent> {
  const state = startReading(source)
  const settle = (outcome: CallOutcome) => {
    state.isSettled = true
    return settleCall(call, state.usage, outcome)
  }
  try {
    for (let event = await nextEvent(state); event !== null; event = await nextEvent(state)) {
      if (event.kind === 'error') {
        state.usage = event.usage ?? state.usage
        const { charged } = await settle({ status: 'failed', error: event.error.message })
        yield { kind: 'error', error: event.error, charged }
        return
      }
      call.delivered.addTexts(event.facts.texts)
      noteChunk(state, event.facts, call.plan.n)
      yield event
    }
    yield { kind: 'end', ...(await settle({ status: 'ok' })) }
  } catch (error) {
    if (!cancel.signal.aborted) throw error
  } finally {
    // A stream read to its end leaves its connection for the next call; any other is closed.
    if (!state.isDrained) cancel.abort(new AppError('conflict', CLIENT_DISCONNECTED))
    if (!state.isSettled) await settle({ status: 'failed', error: CLIENT_DISCONNECTED })
    await state.events.return?.().catch(() => {})
  }
}

const startReading = (source: AsyncIterable<CompletionEvent>): StreamState => ({
  events: source[Symbol.asyncIterator](),
  usage: null,
  endedChoices: new Set(),
  deadline: null,
  chunksAfterEnd: 0,
  isDrained: false,
  isSettled: false,
})

function noteChunk(state: StreamState, { usage, endedChoices, isEmpty }: ChunkFacts, n: number): void {
  state.usage = usage ?? state.usage
  if (isEmpty) return
  for (const index of endedChoices) state.endedChoices.add(index)
  if (state.endedChoices.size < n) return
  state.deadline ??= performance.now() + USAGE_WAIT_MS
  state.chunksAfterEnd++
}

/** The next event; null at the end of the stream, and when nothing more is worth waiting for. */
async function nextEvent(state: StreamState): Promise<CompletionEvent | null> {
  if (state.chunksAfterEnd >= MAX_CHUNKS_AFTER_END) return null
  const next = await nextBefore(state.events, state.deadline)
  state.isDrained = next?.done === true
  return next === null || next.done ? null : next.value
}

/** The next item, or null when it does not come before `deadline`. */
async function nextBefore<T>(items: AsyncIterator<T>, deadline: number | null): Promise<IteratorResult<T> | null> {
  if (deadline === null) return items.next()
  return withTimeout(items.next(), deadline - performance.now())
}
