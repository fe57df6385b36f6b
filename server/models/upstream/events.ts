import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { AppError } from '../../errors'
import { isRecord } from '../../kit/record'
import type { CompletionEvent, ReportedUsage } from '../completion'
import type { UpstreamOutcome } from '../metrics'
import type { UpstreamWire } from '../wires/wire'
import { readFailure } from './failure'
import { unreadableJson } from './read-answer'
import type { ExchangeTimer } from './timer'

/** Largest event accepted, in characters: an inline image fits. */
const MAX_EVENT = 32 * 1024 * 1024
/** Longest data of an event, in characters, that cannot be nested too deeply to be worked on. */
const MAX_UNMEASURED = 1_024
/**
 * Time a server may take to close the stream after its last event, so that the connection can be
 * reused.
 */
const CLOSE_MS = 1_000

export type EventSource = {
  bytes: AsyncIterator<Buffer>
  wire: UpstreamWire
  timer: ExchangeTimer
  /** The caller's own signal. */
  signal: AbortSignal
  /** Longest wait between two reads. */
  idleMs: number
  /** Called when the stream has ended, however. */
  onEnd?: (outcome: UpstreamOutcome) => void
}

const failed = (why: string, cause: unknown, usage: ReportedUsage | null = null): CompletionEvent => ({
  kind: 'error',
  error: new AppError('upstream_error', `The model's provider ${why}.`, { cause }),
  usage,
})

type ReadFacts = ReturnType<UpstreamWire['makeFactsReader']>

function parseEvent({ event, data }: EventSourceMessage, wire: UpstreamWire, readFacts: ReadFacts): CompletionEvent {
  const why = data.length > MAX_UNMEASURED ? unreadableJson(Buffer.from(data)) : null
  if (why !== null) return failed(`sent a chunk that ${why}`, data.slice(0, 200))
  let json: unknown
  try {
    json = JSON.parse(data)
  } catch (cause) {
    return failed('sent something that is not JSON', cause)
  }
  if (!isRecord(json)) return failed('sent something that is not a chunk', data.slice(0, 200))
  const facts = readFacts(json)
  const error = wire.readError(json) ?? (event === 'error' ? json : null)
  if (error === null) return { kind: 'chunk', wire: wire.name, chunk: json, facts }
  return failed('failed while answering', readFailure(error), facts.usage)
}

/** A line that is not of the format, as opposed to a field that readers must ignore. */
const isForeign = (field: string | undefined) => !/^[\w-]{1,40}$/.test(field ?? '')

/** Parses bytes into events, up to the one that ends the stream. */
function makeEventParser(wire: UpstreamWire) {
  const waiting: CompletionEvent[] = []
  const readFacts = wire.makeFactsReader()
  let isEnded = false
  const take = (message: EventSourceMessage) => {
    const event = parseEvent(message, wire, readFacts)
    waiting.push(event)
    if (event.kind === 'chunk' && event.facts.isLast) isEnded = true
  }
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: (message) => {
      if (wire.isEnd(message.data)) isEnded = true
      else if (!isEnded) take(message)
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') waiting.push(failed('sent an event that is too large', error))
      else if (error.type === 'unknown-field' && isForeign(error.field))
        waiting.push(failed('sent a line that is not an event', error))
    },
  })
  const decoder = new TextDecoder()
  return {
    isEnded: () => isEnded,
    /** The events that are complete with these bytes; undefined: the source has closed. */
    read: (bytes: Buffer | undefined): CompletionEvent[] => {
      // Some servers forget the blank line at the end.
      parser.feed(bytes === undefined ? `${decoder.decode()}\n\n` : decoder.decode(bytes, { stream: true }))
      return waiting.splice(0)
    },
  }
}

/**
 * The events of a stream up to its end. Reads on only when asked for more, so a slow reader slows
 * the upstream. Any failure is the last event; only the caller's own abort throws. The timer as it
 * runs limits the wait for the first event, `idleMs` each wait after it. Returning early closes the
 * socket.
 */
export async function* readEvents({
  bytes,
  wire,
  timer,
  signal,
  idleMs,
  onEnd,
}: EventSource): AsyncGenerator<CompletionEvent> {
  const parser = makeEventParser(wire)
  let isWaiting = false
  let isComplete = false
  let outcome: UpstreamOutcome = 'cancelled'
  try {
    for (let isOpen = true; isOpen && !parser.isEnded(); ) {
      if (isWaiting) timer.restart(idleMs, 'further event')
      // Comments and blank lines are none: the time goes on.
      isWaiting = false
      const { done, value } = await bytes.next()
      isOpen = !done
      const events = parser.read(done ? undefined : value)
      if (events.length === 0) continue
      timer.pause()
      isWaiting = true
      for (const event of events) {
        if (event.kind === 'error') outcome = 'broken'
        yield event
        if (event.kind === 'error') return
      }
      signal.throwIfAborted()
    }
    isComplete = true
    outcome = 'ok'
    if (parser.isEnded()) void drain(bytes, timer)
    else timer.end()
  } catch (error) {
    signal.throwIfAborted()
    outcome = 'broken'
    yield failed('closed the connection while answering', error)
  } finally {
    if (!isComplete) timer.cut()
    onEnd?.(outcome)
  }
}

/** Reads what follows the last event, so that the connection can be reused. */
async function drain(bytes: AsyncIterator<Buffer>, timer: ExchangeTimer): Promise<void> {
  try {
    timer.restart(CLOSE_MS, 'end')
    while (!(await bytes.next()).done);
    timer.end()
  } catch {
    timer.cut()
  }
}
