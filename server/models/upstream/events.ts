import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { AppError } from '../../errors'
import { isRecord } from '../../kit/record'
import type { CompletionChunk, CompletionEvent } from '../completion'
import { readFailure } from './failure'
import type { ExchangeTimer } from './timer'

/** Largest event taken, in characters: an image inline fits. */
const MAX_EVENT = 32 * 1024 * 1024
/** What a server may take to close after [DONE], so that the connection can serve again. */
const GOODBYE_MS = 1_000

type Bytes = AsyncIterator<Buffer>

const broken = (why: string, cause: unknown, chunk: CompletionChunk | null = null): CompletionEvent => ({
  kind: 'error',
  error: new AppError('upstream_error', `The model's provider ${why}.`, { cause }),
  chunk,
})

function parseEvent({ event, data }: EventSourceMessage): CompletionEvent {
  let json: unknown
  try {
    json = JSON.parse(data)
  } catch (cause) {
    return broken('sent something that is not JSON', cause)
  }
  if (!isRecord(json)) return broken('sent something that is not a chunk', data.slice(0, 200))
  if (json.error != null) return broken('failed while answering', readFailure(json.error), json)
  return event === 'error' ? broken('failed while answering', readFailure(json), json) : { kind: 'chunk', chunk: json }
}

/** A line that is not of the format, as opposed to a field the format tells us to ignore. */
const isForeign = (field: string | undefined) => !/^[\w-]{1,40}$/.test(field ?? '')

/**
 * The events of a stream, up to [DONE] or its end. Reads on only when asked for more, so a slow reader slows the
 * upstream. Whatever goes wrong is the last event; only the caller's own abort throws. The first event is waited for
 * under the clock as it runs; from then on each read has `idleMs`. Leaving early closes the upstream's socket.
 */
export async function* readEvents(
  bytes: Bytes,
  watch: ExchangeTimer,
  caller: AbortSignal,
  idleMs: number,
): AsyncGenerator<CompletionEvent> {
  const waiting: CompletionEvent[] = []
  let isDone = false
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: (message) => {
      if (message.data === '[DONE]') isDone = true
      else if (!isDone) waiting.push(parseEvent(message))
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') waiting.push(broken('sent an event that is too large', error))
      else if (error.type === 'unknown-field' && isForeign(error.field))
        waiting.push(broken('sent a line that is not an event', error))
    },
  })
  const decoder = new TextDecoder()
  let isFirst = true
  let keep = false
  try {
    for (let isOpen = true; isOpen && !isDone; ) {
      if (!isFirst) watch.arm(idleMs, 'further event')
      const { done, value } = await bytes.next()
      // The blank line that some servers forget at the end.
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }))
      isOpen = !done
      if (waiting.length === 0) continue
      watch.rest()
      isFirst = false
      for (const event of waiting.splice(0)) {
        yield event
        if (event.kind === 'error') return
      }
      caller.throwIfAborted()
    }
    keep = true
    if (isDone) void leave(bytes, watch)
    else watch.end()
  } catch (error) {
    caller.throwIfAborted()
    yield broken('broke off while answering', error)
  } finally {
    if (!keep) watch.cut()
  }
}

/** Reads what is left after [DONE], so that the connection is free again. */
async function leave(bytes: Bytes, watch: ExchangeTimer): Promise<void> {
  try {
    watch.arm(GOODBYE_MS, 'end')
    while (!(await bytes.next()).done);
    watch.end()
  } catch {
    watch.cut()
  }
}
