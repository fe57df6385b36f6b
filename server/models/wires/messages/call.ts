import type { WireCall } from '../wire'
import { writeMessage } from './answer'
import { type MessagesRequest, readMessagesRequest } from './request'
import { openMessagesStream } from './stream'

/**
 * A request of the messages API, and how its answer is written. Throws `invalid_request`.
 */
export function messagesWireCall(given: MessagesRequest, headers: Headers): WireCall {
  const request = readMessagesRequest(given, headers)
  const asked = { model: request.model, stopSequences: given.stop_sequences }
  return {
    request,
    writeAnswer: (answer, bill, id) => writeMessage(answer, bill, { ...asked, id }),
    openStream: (id) => openMessagesStream({ ...asked, id }),
  }
}
