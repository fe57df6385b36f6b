import type { ChatStream } from '../api/public/chat'
import { toAppError } from '../api/trpc'
import { errorStack } from '../kit/error-stack'
import { log } from '../kit/log'
import { sseData } from '../kit/sse'
import { chatErrorBody } from './chat-error'
import type { Exchange } from './handler'
import { sendEvents } from './response'

/**
 * A billed stream as events: chunks, one of them with the charge, or an `error` event; then the
 * end.
 */
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
    log.error({ requestId, err: errorStack(thrown) }, 'a stream failed')
    yield `event: error\n${sseData(chatErrorBody(error))}`
  }
}

/** Sends a comment first, because the headers wait for the first byte. */
async function* afterComment(comment: string, events: AsyncGenerator<string>): AsyncGenerator<string> {
  // Requested before the comment goes out: a generator that never started would end without its
  // `finally`.
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

type Options = {
  /** Called when the client disconnects. */
  onDisconnect: () => void
  /** A comment that is sent first, so that the headers do not wait for the first chunk. */
  opening?: string
}

/** A billed stream as a response of server-sent events. */
export function chatStreamResponse(
  pieces: ChatStream,
  { requestId, headers }: Exchange,
  { onDisconnect, opening }: Options,
): Response {
  const events = eventsOf(pieces, requestId)
  return sendEvents(opening ? afterComment(opening, events) : events, { headers: headers(), onDisconnect })
}
