import { completeChat } from '../../chat/complete'
import { ChatRequest } from '../../chat/shape'
import type { StreamPiece } from '../../chat/stream'
import { keyProcedure } from '../trpc'
import { idempotencyOf, replay } from './idempotency'

/** Largest body of a chat completion, bytes: images may stand in it. */
export const CHAT_MAX_BODY = 20 * 1024 * 1024

/** A billed answer as it comes. */
export type ChatPieces = AsyncGenerator<StreamPiece>

export type ChatReply = { kind: 'json'; body: object } | { kind: 'stream'; pieces: ChatPieces }

export const chat = keyProcedure()
  .input(ChatRequest)
  .mutation(async ({ ctx, input }): Promise<ChatReply> => {
    const { ownerId, keyId, grants } = ctx.caller
    const answer = await completeChat({
      request: input,
      payer: { ownerId, keyId },
      grants,
      id: ctx.requestId,
      door: 'chat',
      idempotency: idempotencyOf(ctx),
      gone: ctx.gone,
    })
    if (answer.kind === 'stream') return answer
    if (answer.kind === 'replay') return { kind: 'json', body: replay(answer.answer, ctx.reply) }
    return { kind: 'json', body: { ...answer.body, service: { credits_charged: answer.charged } } }
  })
