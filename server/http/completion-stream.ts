import type { CompletionPiece, CompletionStream } from '../api/public/completion'
import { toAppError } from '../api/trpc'
import { type AppError, restarting } from '../errors'
import { errorStack } from '../kit/error-stack'
import { log } from '../kit/log'
import type { UnknownRecord } from '../kit/record'
import { sseData } from '../kit/sse'
import type { Exchange } from './handler'
import { sendEvents } from './response'

/** Made once: its stack costs more than writing it, and streams rarely end with it. */
const CUT_SHORT = restarting().charged(0)

type Service = { credits_charged: number }
type ErrorPiece = Extract<CompletionPiece, { kind: 'error' }>

/** Says that a stream is not stored for its Idempotency-Key, when the headers are out already. */
const UNSTORED_COMMENT = ': idempotency-stored: false\n\n'

/** How a wire's streams end. */
export type StreamWriter = {
  /**
   * An error as the last event. `piece`: what the wire says of it, if the stream had come so far.
   */
  writeError: (error: AppError, requestId: string, piece?: Pick<ErrorPiece, 'event' | 'chunk'>) => string
  /** What ends a stream that did not fail, after its last chunk. */
  end: string
  /** The chunk that has the charge, where the wire repeats it inside; without `service` itself. */
  withCharge?: (chunk: UnknownRecord, service: Service) => UnknownRecord
}

/** One server-sent event, with a name where it has one. */
export const namedEvent = (name: string | undefined, value: unknown): string =>
  name === undefined ? sseData(value) : `event: ${name}\n${sseData(value)}`

/**
 * A billed stream as events: chunks, one of them with the charge, or an error; then the end.
 */
async function* eventsOf(
  pieces: CompletionStream,
  { requestId, reply }: Exchange,
  { writeError, end, withCharge = (chunk) => chunk }: StreamWriter,
): AsyncGenerator<string> {
  const isInHeader = reply.unstored
  try {
    for await (const piece of pieces) {
      if (piece.charged !== undefined && reply.unstored && !isInHeader) yield UNSTORED_COMMENT
      if (piece.kind === 'error') {
        yield writeError(piece.error.charged(piece.charged), requestId, piece)
        return
      }
      if (piece.charged === undefined) {
        yield namedEvent(piece.event, piece.chunk)
        continue
      }
      const service = { credits_charged: piece.charged }
      yield namedEvent(piece.event, { ...withCharge(piece.chunk, service), service })
    }
    if (end !== '') yield end
  } catch (thrown) {
    log.error({ requestId, err: errorStack(thrown) }, 'a stream failed')
    yield writeError(toAppError(thrown), requestId)
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
  writer: StreamWriter
  /** Called when the client disconnects. */
  onDisconnect: () => void
  /** A comment that is sent first, so that the headers do not wait for the first chunk. */
  opening?: string
}

/** A billed stream as a response of server-sent events, in any wire. */
export function completionStreamResponse(
  pieces: CompletionStream,
  exchange: Exchange,
  { writer, onDisconnect, opening }: Options,
): Response {
  const { requestId, headers } = exchange
  const events = eventsOf(pieces, exchange, writer)
  return sendEvents(opening ? afterComment(opening, events) : events, {
    headers: headers(),
    onDisconnect,
    lastEventIfCut: writer.writeError(CUT_SHORT, requestId),
  })
}
