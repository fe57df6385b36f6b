import type { Dispatcher } from 'undici'
import type { CompletionEvent } from '../completion'
import { type EventSource, readEvents } from './events'
import { asUpstreamFailure, UpstreamFailure } from './failure'

/** Chunks without output that are held back. More than these count as an answer. */
const MAX_HELD = 100

/**
 * The events of a stream once its first output is there: up to then another upstream can still
 * serve.
 */
export async function openStream(
  { body }: Dispatcher.ResponseData,
  source: Omit<EventSource, 'bytes'>,
): Promise<AsyncGenerator<CompletionEvent>> {
  const events = readEvents({ ...source, bytes: body[Symbol.asyncIterator]() as AsyncIterator<Buffer> })
  const held: CompletionEvent[] = []
  while (held.length < MAX_HELD) {
    const { done, value: event } = await events.next()
    if (done) break
    if (event.kind === 'error') {
      await events.return(undefined)
      throw asUpstreamFailure(event.error.cause)
    }
    held.push(event)
    if (source.wire.hasOutput(event.chunk)) break
  }
  if (held.length === 0) throw new UpstreamFailure('the upstream streamed nothing', 200)
  return prepend(held, events)
}

/**
 * A stream with its first events put back. Returning from it returns from `rest`, also before those
 * are read.
 */
function prepend(
  first: readonly CompletionEvent[],
  rest: AsyncGenerator<CompletionEvent>,
): AsyncGenerator<CompletionEvent> {
  const pending = [...first]
  const stream: AsyncGenerator<CompletionEvent> = {
    next: async () => {
      const value = pending.shift()
      return value ? { done: false, value } : rest.next()
    },
    return: (value) => {
      pending.length = 0
      return rest.return(value)
    },
    throw: (error) => rest.throw(error),
    [Symbol.asyncIterator]: () => stream,
    [Symbol.asyncDispose]: () => rest[Symbol.asyncDispose](),
  }
  return stream
}
