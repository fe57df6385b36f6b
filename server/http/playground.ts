import { requireSameOrigin } from '../api/auth'
import { COMPLETION_MAX_BODY, type CompletionStream } from '../api/public/completion'
import { readJson } from './body'
import { chatStreamWriter } from './chat'
import { sendChatError } from './chat-error'
import { completionStreamResponse } from './completion-stream'
import { disconnectable, makeHandler } from './handler'
import { callProcedure } from './procedure'

/**
 * `/api/playground/chat`: chat completions for the signed-in owner's browser and no other site, in
 * the wire format of `/api/v1/chat/completions`, always streamed. The response begins when the
 * credits are held: an earlier error has a status, a later one is an `error` event.
 */
export const playgroundHandler = makeHandler(
  'playground',
  async (exchange) => {
    requireSameOrigin(exchange.req.headers)
    const { signal, disconnect } = disconnectable(exchange.req)
    const pieces = (await callProcedure(exchange, 'playground.chat', {
      type: 'mutation',
      via: 'session',
      readInput: () => readJson(exchange, COMPLETION_MAX_BODY),
      signal,
    })) as CompletionStream
    return completionStreamResponse(pieces, exchange, {
      writer: chatStreamWriter,
      onDisconnect: disconnect,
      opening: ': begun\n\n',
    })
  },
  { methods: ['POST'], sendError: sendChatError },
)
