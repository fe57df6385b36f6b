import type { ChatPieces } from '../api/public/chat'
import { asAppError } from '../api/trpc'
import { log } from '../kit/log'
import { sseBody, sseData } from '../kit/sse'
import { chatErrorBody } from './chat-error'
import type { Exchange } from './exchange'

/** A billed stream on the wire: chunks, the charge on one of them, an `error` event where it broke, then the end. */
async function* eventsOf(pieces: ChatPieces, requestId: string): AsyncGenerator<string> {
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
    const error = asAppError(thrown)
    log.error({ requestId, err: thrown instanceof Error ? thrown.stack : thrown }, 'a stream broke')
    yield `event: error\n${sseData(chatErrorBody(error))}`
  }
}

/** A billed stream as a response of server-sent events. `onLeave` hears that its reader is gone. */
export function streamChat(pieces: ChatPieces, { requestId, headers }: Exchange, onLeave: () => void): Response {
  return new Response(sseBody(eventsOf(pieces, requestId), onLeave), {
    headers: {
      ...headers(),
      'content-type': 'text/event-stream; charset=utf-8',
      // Proxies such as nginx would gather what should go out at once.
      'x-accel-buffering': 'no',
    },
  })
}
