import { callTRPCProcedure } from '@trpc/server'
import { requireSameOrigin } from '../api/auth'
import { makeContext } from '../api/context'
import { CHAT_MAX_BODY, type ChatStream } from '../api/public/chat'
import { appRouter } from '../api/router'
import { readJson } from './body'
import { sendChatError } from './chat-error'
import { chatStreamResponse } from './chat-stream'
import { makeHandler } from './handler'

/**
 * `/api/playground/chat`: chat completions for the signed-in owner's browser and no other site, in the wire format of
 * `/api/v1/chat/completions`, always streamed. The answer begins when its credits are held; what refuses it has a
 * status, what fails later is an `error` event.
 */
export const playgroundHandler = makeHandler(
  'playground',
  async (exchange) => {
    const { req, requestId, reply } = exchange
    requireSameOrigin(req.headers)
    const left = new AbortController()
    const gone = AbortSignal.any([req.signal, left.signal])
    let body: Promise<unknown> | undefined
    const pieces = (await callTRPCProcedure({
      router: appRouter,
      path: 'playground.chat',
      type: 'mutation',
      ctx: makeContext({ requestId, headers: req.headers, via: 'session', gone, reply }),
      getRawInput: () => {
        body ??= readJson(req, CHAT_MAX_BODY).then(({ value }) => value)
        return body
      },
      batchIndex: 0,
      signal: gone,
    })) as ChatStream
    return chatStreamResponse(pieces, exchange, { onLeave: () => left.abort(), opening: ': begun\n\n' })
  },
  { methods: ['POST'], sendError: sendChatError },
)
