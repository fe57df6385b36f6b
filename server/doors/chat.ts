import { callTRPCProcedure } from '@trpc/server'
import { makeContext } from '../api/context'
import { CHAT_MAX_BODY, type ChatReply } from '../api/public/chat'
import { appRouter } from '../api/router'
import { asAppError } from '../api/trpc'
import type { StreamPiece } from '../chat/stream'
import { log } from '../kit/log'
import { sseBody, sseData } from '../kit/sse'
import { readJson } from './body'
import { chatErrorBody, sendChatError } from './chat-error'
import { asDoor, type Exchange } from './exchange'
import { sendValue } from './reply'

/** Calls the chat procedure. It asks for the body only after it has let the caller in. */
async function callChat({ req, requestId, reply }: Exchange, gone: AbortSignal): Promise<ChatReply> {
  let hash: Buffer | null = null
  let body: Promise<unknown> | undefined
  const getRawInput = () => {
    body ??= readJson(req, CHAT_MAX_BODY).then((read) => {
      hash = read.hash
      return read.value
    })
    return body
  }
  const ctx = makeContext({ requestId, headers: req.headers, via: 'key', bodyHash: () => hash, gone, reply })
  const call = { router: appRouter, path: 'public.chat', type: 'mutation' as const, ctx, getRawInput, batchIndex: 0 }
  return (await callTRPCProcedure({ ...call, signal: gone })) as ChatReply
}

/** A billed stream on the wire: chunks, the charge on one of them, an `error` event where it broke, then the end. */
async function* eventsOf(pieces: AsyncGenerator<StreamPiece>, requestId: string): AsyncGenerator<string> {
  try {
    for await (const piece of pieces) {
      if (piece.kind === 'error') {
        yield `event: error\n${sseData(chatErrorBody(piece.error.charged(piece.charged)))}`
        return
      }
      const service = piece.charged === undefined ? {} : { service: { credits_charged: piece.charged } }
      yield sseData({ ...piece.chunk, ...service })
    }
    yield 'data: [DONE]\n\n'
  } catch (thrown) {
    const error = asAppError(thrown)
    log.error({ requestId, err: thrown instanceof Error ? thrown.stack : thrown }, 'a stream broke')
    yield `event: error\n${sseData(chatErrorBody(error))}`
  }
}

/** `/api/v1/chat/completions`: the common chat-completions wire format, streamed or not. */
export const chatDoor = asDoor(
  'chat',
  async (exchange) => {
    const left = new AbortController()
    const gone = AbortSignal.any([exchange.req.signal, left.signal])
    const answer = await callChat(exchange, gone)
    if (answer.kind === 'json') return sendValue(200, answer.body, exchange.headers())
    const events = eventsOf(answer.pieces, exchange.requestId)
    const headers = {
      ...exchange.headers(),
      'content-type': 'text/event-stream; charset=utf-8',
      // Proxies such as nginx would gather what should go out at once.
      'x-accel-buffering': 'no',
    }
    return new Response(
      sseBody(events, () => left.abort()),
      { headers },
    )
  },
  { methods: ['POST'], sendError: sendChatError },
)
