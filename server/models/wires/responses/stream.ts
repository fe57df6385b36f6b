import type { PieceWriter, StreamPiece } from '../wire'
import type { ResponseEvent } from './event'
import { makeFromChatWriter, type ResponseWriter } from './from-chat-writer'
import { makeNativeWriter } from './native-writer'
import type { ResponseHead } from './response'

/**
 * A billed stream as events of this wire, numbered without gaps. The last has the whole response.
 */
export function openResponsesStream(head: ResponseHead): PieceWriter {
  let sequence = 0
  let writer: ResponseWriter | undefined
  const numbered = ({ type, sequence_number: _theirs, ...rest }: ResponseEvent) => ({
    type,
    sequence_number: sequence++,
    ...rest,
  })
  const piece = (event: ResponseEvent): StreamPiece => ({ kind: 'chunk', event: event.type, chunk: numbered(event) })
  return (event) => {
    if (event.kind === 'chunk') {
      writer ??= event.wire === 'responses' ? makeNativeWriter(head) : makeFromChatWriter(head)
      return writer.accept(event.chunk).map(piece)
    }
    writer ??= makeFromChatWriter(head)
    const written =
      event.kind === 'end'
        ? writer.end(event.bill)
        : writer.fail({ code: event.error.code, message: event.error.message })
    const pieces = written.map(piece)
    const last = pieces.pop()
    if (!last) return []
    const { charged } = event
    return [
      ...pieces,
      event.kind === 'end' ? { ...last, charged } : { ...last, kind: 'error', error: event.error, charged },
    ]
  }
}
