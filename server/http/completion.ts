import type { CompletionResponse } from '../api/public/completion'
import { SSE_KEEPALIVE } from '../kit/sse'
import { readCompletionBody } from './completion-body'
import { completionStreamResponse, type StreamWriter } from './completion-stream'
import { disconnectable, type Handler, makeHandler, type SendError } from './handler'
import { callProcedure } from './procedure'
import { sendValue } from './response'

type CompletionEndpoint = {
  /** Its name in logs and metrics. */
  name: string
  /** The path of its procedure in the router. */
  procedure: string
  /** Writes errors in the wire's envelope. */
  sendError: SendError
  writer: StreamWriter
  /** Another header that has the request's id, where clients look for it there. */
  idHeader?: string
}

/** The handler of a wire's endpoint for completions, streamed or not. */
export const completionHandler = ({ name, procedure, sendError, writer, idHeader }: CompletionEndpoint): Handler =>
  makeHandler(
    name,
    async (exchange) => {
      const { signal, disconnect } = disconnectable(exchange.req)
      const answer = (await callProcedure(exchange, procedure, {
        type: 'mutation',
        via: 'key',
        readInput: () => readCompletionBody(exchange),
        signal,
      })) as CompletionResponse
      if (answer.kind === 'json') return sendValue(200, answer.body, exchange.headers())
      return completionStreamResponse(answer.pieces, exchange, {
        writer,
        onDisconnect: disconnect,
        opening: answer.isLate ? SSE_KEEPALIVE : undefined,
      })
    },
    { methods: ['POST'], sendError, idHeader },
  )
