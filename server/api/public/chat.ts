import { z } from 'zod'
import { completeCall } from '../../chat/complete'
import { chatWireCall } from '../../models/wires/chat/call'
import { ChatRequest } from '../../models/wires/chat/request'
import type { StreamPiece } from '../../models/wires/wire'
import { keyProcedure } from '../trpc'
import { idempotencyOf, replayAnswer } from './idempotency'

/** Largest body of a chat completion, bytes: it may have inline images. */
export const CHAT_MAX_BODY = 20 * 1024 * 1024

/** A billed answer as it arrives. */
export type ChatStream = AsyncGenerator<StreamPiece>

export type ChatResponse = { kind: 'json'; body: object } | { kind: 'stream'; pieces: ChatStream; isLate: boolean }

/** Any value of the procedure passes; the OpenAPI document gets what the handler writes. */
const ChatOutput = z
  .custom<ChatResponse>(() => true)
  .meta({
    description: 'A chat completion (or, with stream, its chunks as server-sent events) with the billing block added',
    override: {
      type: 'object',
      additionalProperties: true,
      required: ['id', 'object', 'created', 'model', 'choices', 'service'],
      properties: {
        id: { type: 'string' },
        object: { type: 'string' },
        created: { type: 'integer' },
        model: { type: 'string' },
        choices: { type: 'array', items: { type: 'object', additionalProperties: true } },
        usage: { type: 'object', additionalProperties: true },
        service: {
          type: 'object',
          required: ['credits_charged'],
          properties: { credits_charged: { type: 'integer' } },
        },
      },
    },
  })

export const chatProcedure = keyProcedure()
  .meta({
    openapi: {
      method: 'POST',
      path: '/chat/completions',
      operationId: 'chatCompletion',
      summary: 'Complete a chat, in the common chat-completions wire format',
      tags: ['Chat'],
      protect: true,
    },
    rest: { errors: 'chat', maxBody: CHAT_MAX_BODY, ownHandler: true },
  })
  .input(ChatRequest)
  .output(ChatOutput)
  .mutation(async ({ ctx, input }): Promise<ChatResponse> => {
    const { ownerId, keyId, grants } = ctx.caller
    const answer = await completeCall({
      wire: chatWireCall(input),
      payer: { ownerId, keyId },
      grants,
      id: ctx.requestId,
      channel: 'chat',
      idempotency: idempotencyOf(ctx),
      signal: ctx.signal,
    })
    if (answer.kind === 'stream') return answer
    if (answer.kind === 'replay') return { kind: 'json', body: replayAnswer(answer.answer, ctx.reply) }
    return { kind: 'json', body: { ...answer.body, service: { credits_charged: answer.charged } } }
  })
