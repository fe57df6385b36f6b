import { isRecord } from '../../../kit/record'
import type { BilledEvent, StreamPiece } from '../wire'
import type { ResponseEvent } from './event'
import { makeFromChatWriter, type ResponseWriter } from './from-chat-writer'
import { makeNativeWriter } from './native-writer'
import type { ResponseHead } from './response'

/**
 * A billed stream as events of this wire, numbered without gaps. The last has the whole response,
 * with the charge also in it.
 */
export async function* writeResponsesStream(
  events: AsyncIterable<BilledEvent>,
  head: ResponseHead,
): AsyncGenerator<StreamPiece> {
  let sequence = 0
  let writer: ResponseWriter | undefined
  const numbered = ({ type, sequence_number: _theirs, ...rest }: ResponseEvent) => ({
    type,
    sequence_number: sequence++,
    ...rest,
  })
  const charged = (event: ResponseEvent, credits: number): ResponseEvent =>
    isRecord(event.response)
      ? { ...event, response: { ...event.response, service: { credits_charged: credits } } }
      : event
  const piece = (event: ResponseEvent): StreamPiece => ({ kind: 'chunk', event: event.type, chunk: numbered(event) })
  for await (const event of events) {
    if (event.kind === 'chunk') {
      writer ??= event.wire === 'responses' ? makeNativeWriter(head) : makeFromChatWriter(head)
      yield* writer.accept(event.chunk).map(piece)
      continue
    }
    writer ??= makeFromChatWriter(head)
    const written =
      event.kind === 'end'
        ? writer.end(event.bill)
        : writer.fail({ code: event.error.code, message: event.error.message })
    const last = written.pop()
    yield* written.map(piece)
    if (!last) continue
    const named = { event: last.type, chunk: numbered(charged(last, event.charged)) }
    if (event.kind === 'end') yield { kind: 'chunk', ...named, charged: event.charged }
    else yield { kind: 'error', ...named, error: event.error, charged: event.charged }
  }
}
