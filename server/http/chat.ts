import { CHAT_MAX_BODY, type ChatResponse } from '../api/public/chat'
import { SSE_KEEPALIVE } from '../kit/sse'
import { readJson } from './body'
import { sendChatError } from './chat-error'
import { chatStreamResponse } from './chat-stream'
import { disconnectable, makeHandler } from './handler'
import { callProcedure } from './procedure'
import { sendValue } from './response'

/** `/api/v1/chat/completions`: the common chat-completions wire format, streamed or not. */
export const chatHandler = makeHandler(
  'chat',
  async (exchange) => {
    const { signal, disconnect } = disconnectable(exchange.req)
    const answer = (await callProcedure(exchange, 'public.chat', {
      type: 'mutation',
      via: 'key',
      readInput: () => readJson(exchange.req, CHAT_MAX_BODY),
      signal,
    })) as ChatResponse
    if (answer.kind === 'json') return sendValue(200, answer.body, exchange.headers())
    return chatStreamResponse(answer.pieces, exchange, {
      onDisconnect: disconnect,
      opening: answer.isLate ? SSE_KEEPALIVE : undefined,
    })
  },
  { methods: ['POST'], sendError: sendChatError },
)
