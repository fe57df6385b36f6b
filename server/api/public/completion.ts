import { completeCall } from '../../chat/complete'
import { replayStream } from '../../chat/stream-record'
import type { CallChannel } from '../../credits/shape'
import { type Caller, payerOf } from '../../keys/authenticate'
import type { StreamPiece, WireCall } from '../../models/wires/wire'
import type { Context } from '../context'
import { idempotencyOf, openStored, replayAnswer } from './idempotency'

/** Largest body of a completion, bytes: it may have inline images. */
export const COMPLETION_MAX_BODY = 20 * 1024 * 1024

/** How REST serves an operation that makes a completion, in any wire. */
export const COMPLETION_REST = {
  maxBody: COMPLETION_MAX_BODY,
  ownHandler: true,
  traits: ['billed', 'granted', 'idempotent'],
} as const

export type CompletionPiece = StreamPiece

/** A billed answer as it arrives. */
export type CompletionStream = AsyncGenerator<CompletionPiece>

export type CompletionResponse =
  | { kind: 'json'; body: object }
  | { kind: 'stream'; pieces: CompletionStream; isLate: boolean }

/** One completion for the owner of a key, in any wire. `channel` is what its receipt says. */
export async function answerCompletion(
  ctx: Context & { caller: Caller },
  wire: WireCall,
  channel: CallChannel,
): Promise<CompletionResponse> {
  const answer = await completeCall({
    wire,
    payer: payerOf(ctx.caller),
    grants: ctx.caller.grants,
    id: ctx.requestId,
    channel,
    idempotency: idempotencyOf(ctx, channel),
    signal: ctx.signal,
  })
  if (answer.kind === 'stream') return answer
  if (answer.kind === 'replay') {
    if (!wire.request.isStream) return { kind: 'json', body: replayAnswer(answer.answer, ctx.reply) }
    return { kind: 'stream', pieces: replayStream(openStored(answer.answer, ctx.reply)), isLate: false }
  }
  return { kind: 'json', body: { ...answer.body, service: { credits_charged: answer.charged } } }
}
