import { isRecord, type UnknownRecord } from '../kit/record'
import { chatErrorBody, sendChatError } from './chat-error'
import { completionHandler } from './completion'
import { namedEvent, type StreamWriter } from './completion-stream'

/** Some clients read the charge of the event, others that of its response. */
const withCharge = (chunk: UnknownRecord, service: object): UnknownRecord =>
  isRecord(chunk.response) ? { ...chunk, response: { ...chunk.response, service } } : chunk

/** How streams of responses end: with a last event that has the response, also where it failed. */
const responsesStreamWriter: StreamWriter = {
  writeError: (error, _requestId, piece) => {
    const body = chatErrorBody(error)
    const { service } = body
    if (piece?.chunk && service) return namedEvent(piece.event, { ...withCharge(piece.chunk, service), service })
    const { message, code, param } = body.error
    // Some clients read the fields of the event, others its `error`.
    return namedEvent('error', { type: 'error', code, message, param, ...body })
  },
  end: 'data: [DONE]\n\n',
  withCharge,
}

/** `/api/v1/responses`: the wire format of the Responses API, streamed or not. */
export const responsesHandler = completionHandler({
  name: 'responses',
  procedure: 'public.responses',
  sendError: sendChatError,
  writer: responsesStreamWriter,
})
