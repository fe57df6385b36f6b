import type { ChatStream } from '../api/public/chat'
import { toAppError } from '../api/trpc'
import { log } from '../kit/log'
import { sseBody, sseData } from '../kit/sse'
import { chatErrorBody } from './chat-error'
import type { Exchange } from './handler'

/** A billed stream on the wire: chunks, the charge on one of them, an `error` event where it broke, then the end. */
async function* eventsOf(pieces: ChatStream, requestId: string): AsyncGenerator<string> {
  try {
    for await (const piece of pieces) {
      if (piece.kind === 'error') {
        yield `event: error\n${sseData(chatErrorBody(piece.error.charged(piece.charged)))}`
        return
      }
      const service = piece.charged === undefined ? {} : { service: { credits_charged: piece.charged } }
      yield sseData({ ...piece.chunk, ...service })
    }
    yield 'data: [DONE]\n\n'
  } catch (thrown) {
    const error = toAppError(thrown)
    log.error({ requestId, err: thrown instanceof Error ? thrown.stack : thrown }, 'a stream broke')
    yield `event: error\n${sseData(chatErrorBody(error))}`
  }
}

type Options = {
  /** Hears that the reader is gone. */
  onLeave: () => void
  /** A comment that goes out first, so that the headers do not wait for the first piece. */
  opening?: string
}

/** Sends a comment first: headers wait for the first byte. */
async function* afterComment(comment: string, events: AsyncGenerator<string>): AsyncGenerator<string> {
  // Asked for before the comment goes out: a generator that was never asked would end without its `finally`.
  const first = events.next()
  first.catch(() => {})
  try {
    yield comment
    const { done, value } = await first
    if (done) return
    yield value
    yield* events
  } finally {
    await events.return(undefined)
  }
}

/** A billed stream as a response of server-sent events. */
export function chatStreamResponse(
  pieces: ChatStream,
  { requestId, headers }: Exchange,
  { onLeave, opening }: Options,
): Response {
  const events = eventsOf(pieces, requestId)
  return new Response(sseBody(opening ? afterComment(opening, events) : events, onLeave), {
    headers: {
      ...headers(),
      'content-type': 'text/event-stream; charset=utf-8',
      // Proxies such as nginx would gather what should go out at once.
      'x-accel-buffering': 'no',
    },
  })
}
