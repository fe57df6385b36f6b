import type { CompletionBill } from '../../bill'
import type { WireCall } from '../wire'
import { makeFromChatWriter } from './from-chat-writer'
import { ownResponse } from './native-writer'
import { type ResponsesRequest, readResponsesRequest } from './request'
import { NOT_KEPT, type ResponseHead } from './response'
import { openResponsesStream } from './stream'
import { writeResponsesUsage } from './usage'

/**
 * A request of the Responses API, and how its answer is written. `state`: what that says about what
 * is kept. Throws `invalid_request`.
 */
export function responsesWireCall(given: ResponsesRequest, state = NOT_KEPT): WireCall {
  const request = readResponsesRequest(given)
  const headFor = (id: string): ResponseHead => ({ id, model: request.model, body: request.body, state })
  return {
    request,
    writeAnswer: ({ wire, body: answer }, bill, id) =>
      wire === 'responses' ? nativeAnswer(answer, headFor(id), bill) : translatedAnswer(answer, headFor(id), bill),
    openStream: (id) => openResponsesStream(headFor(id)),
  }
}

const nativeAnswer = (answer: Record<string, unknown>, head: ResponseHead, { estimated, usage }: CompletionBill) => ({
  ...ownResponse(answer, head),
  ...(estimated && { usage: writeResponsesUsage(usage) }),
})

/** An answer of chat form is written as a stream of one piece, of which the last event has all. */
function translatedAnswer(answer: Record<string, unknown>, head: ResponseHead, bill: CompletionBill) {
  const writer = makeFromChatWriter(head)
  writer.accept(answer)
  return writer.end(bill).at(-1)?.response as Record<string, unknown>
}
