import { COMPLETION_MAX_BODY } from '../api/public/completion'
import { readJson } from './body'
import { completionHandler } from './completion'
import { namedEvent, type StreamWriter } from './completion-stream'
import { makeHandler } from './handler'
import { messagesErrorBody, sendMessagesError } from './messages-error'
import { callProcedure } from './procedure'
import { sendValue } from './response'

/** How streams of messages end: with `message_stop`, which is a chunk, or with an `error` event. */
const messagesStreamWriter: StreamWriter = {
  writeError: (error, requestId) => namedEvent('error', messagesErrorBody(error, requestId)),
  end: '',
}

/** SDKs of the messages API read the request's id from this header. */
const idHeader = 'request-id'

/** `/api/v1/messages`: the wire format of the messages API, streamed or not. */
export const messagesHandler = completionHandler({
  name: 'messages',
  procedure: 'public.messages.create',
  sendError: sendMessagesError,
  writer: messagesStreamWriter,
  idHeader,
})

/** `/api/v1/messages/count_tokens`: the tokens of a prompt, without a call to a model. */
export const countTokensHandler = makeHandler(
  'count_tokens',
  async (exchange) => {
    const counted = await callProcedure(exchange, 'public.messages.countTokens', {
      type: 'mutation',
      via: 'key',
      readInput: () => readJson(exchange, COMPLETION_MAX_BODY),
    })
    return sendValue(200, counted, exchange.headers())
  },
  { methods: ['POST'], sendError: sendMessagesError, idHeader },
)
