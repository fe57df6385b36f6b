import { callTRPCProcedure } from '@trpc/server'
import { makeContext } from '../api/context'
import { CHAT_MAX_BODY, type ChatResponse } from '../api/public/chat'
import { appRouter } from '../api/router'
import { SSE_KEEPALIVE } from '../kit/sse'
import { readJson } from './body'
import { sendChatError } from './chat-error'
import { chatStreamResponse } from './chat-stream'
import { type Exchange, makeHandler } from './handler'
import { sendValue } from './response'

/** Calls the chat procedure. It asks for the body only after it has let the caller in. */
async function callChat({ req, requestId, reply }: Exchange, gone: AbortSignal): Promise<ChatResponse> {
  let bodyHash: () => Buffer | null = () => null
  let body: Promise<unknown> | undefined
  const getRawInput = () => {
    body ??= readJson(req, CHAT_MAX_BODY).then((read) => {
      bodyHash = read.hash
      return read.value
    })
    return body
  }
  const ctx = makeContext({ requestId, headers: req.headers, via: 'key', bodyHash: () => bodyHash(), gone, reply })
  const call = { router: appRouter, path: 'public.chat', type: 'mutation' as const, ctx, getRawInput, batchIndex: 0 }
  return (await callTRPCProcedure({ ...call, signal: gone })) as ChatResponse
}

/** `/api/v1/chat/completions`: the common chat-completions wire format, streamed or not. */
export const chatHandler = makeHandler(
  'chat',
  async (exchange) => {
    const left = new AbortController()
    const gone = AbortSignal.any([exchange.req.signal, left.signal])
    const answer = await callChat(exchange, gone)
    if (answer.kind === 'json') return sendValue(200, answer.body, exchange.headers())
    return chatStreamResponse(answer.pieces, exchange, {
      onLeave: () => left.abort(),
      opening: answer.isLate ? SSE_KEEPALIVE : undefined,
    })
  },
  { methods: ['POST'], sendError: sendChatError },
)
