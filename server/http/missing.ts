import { AppError } from '../errors'
import { sendChatError } from './chat-error'
import { type Exchange, makeHandler, pathOf, type SendError } from './handler'
import { sendMessagesError } from './messages-error'
import { sendError } from './response'
import { findSimilarPath } from './similar-path'

/** Clients of the messages API name its version in every request, and read its errors only. */
const speaksMessages = ({ headers }: Request): boolean => headers.has('anthropic-version')

/** Writes errors in the envelope of the messages API, with the id where its SDKs look for it. */
const sendAsMessages =
  ({ requestId }: Exchange): SendError =>
  (thrown, headers) =>
    sendMessagesError(thrown, { ...headers, 'request-id': requestId })

/** Writes errors in the envelope of whichever API of models the client speaks. */
export const modelErrors = (exchange: Exchange): SendError =>
  speaksMessages(exchange.req) ? sendAsMessages(exchange) : sendChatError

const NO_PATH = 'Not found. GET /api/v1/openapi.json lists every operation.'

/** The 404 of a path without an operation; clients of other APIs get one that they can read. */
export function sendMissing(exchange: Exchange): Response {
  const { req, headers } = exchange
  const similar = findSimilarPath(req.method, pathOf(req.url))
  const error = new AppError('not_found', similar?.message ?? NO_PATH)
  if (speaksMessages(req) || similar?.api === 'messages') return sendAsMessages(exchange)(error, headers())
  return (similar?.api === 'chat' ? sendChatError : sendError)(error, headers())
}

/** What a program asks for outside the API: 404 in JSON, which names the path that was meant. */
export const missingHandler = makeHandler('missing', async (exchange) => sendMissing(exchange))
