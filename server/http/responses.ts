import { chatErrorBody, sendChatError } from './chat-error'
import { completionHandler } from './completion'
import { namedEvent, type StreamWriter } from './completion-stream'

/** How streams of responses end: with a last event that has the response, also where it failed. */
const responsesStreamWriter: StreamWriter = {
  writeError: (error, _requestId, piece) => {
    const body = chatErrorBody(error)
    const { service } = body
    if (piece?.chunk) return namedEvent(piece.event, { ...piece.chunk, ...(service && { service }) })
    const { message, code, param } = body.error
    // Some clients read the fields of the event, others its `error`.
    return namedEvent('error', { type: 'error', code, message, param, ...body })
  },
  end: 'data: [DONE]\n\n',
}

/** `/api/v1/responses`: the wire format of the Responses API, streamed or not. */
export const responsesHandler = completionHandler({
  name: 'responses',
  procedure: 'public.responses',
  sendError: sendChatError,
  writer: responsesStreamWriter,
})
