import { type CompletionAnswer, type CompletionCall, planCall } from '../../chat/complete'
import { replayStream } from '../../chat/stream-record'
import type { Replay } from '../../credits/plan'
import type { CallChannel } from '../../credits/shape'
import type { Caller } from '../../keys/authenticate'
import { adjustedText } from '../../models/abilities/adjusted-text'
import type { StreamPiece, WireCall } from '../../models/wires/wire'
import type { Checked } from '../billed'
import type { Context, ResponseMeta } from '../context'
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

/**
 * One completion for the owner of a key, in any wire. `channel` is what its receipt says; `more`:
 * what differs for one that goes on without its client.
 */
export async function checkCompletion(
  { ctx, by }: { ctx: Context; by: Caller },
  wire: WireCall,
  channel: CallChannel,
  more: Partial<Pick<CompletionCall, 'idempotency' | 'cancel'>> = {},
): Promise<Checked<CompletionAnswer, CompletionResponse>> {
  const { ownerId, grants } = by
  const { requestId: id, signal } = ctx
  const idempotency = idempotencyOf(ctx, channel)
  const plan = await planCall({ wire, ownerId, grants, id, channel, idempotency, signal, ...more })
  const { adjusted } = plan
  if (adjusted.length > 0) ctx.reply.adjusted = adjustedText(adjusted)
  return { plan, answer: (outcome) => answerCompletion(outcome, wire, ctx.reply) }
}

function answerCompletion(outcome: CompletionAnswer | Replay, wire: WireCall, reply: ResponseMeta): CompletionResponse {
  if (outcome.kind === 'stream') return outcome
  if (outcome.kind === 'replay') {
    if (!wire.request.isStream) return { kind: 'json', body: replayAnswer(outcome.answer, reply) }
    return { kind: 'stream', pieces: replayStream(openStored(outcome.answer, reply)), isLate: false }
  }
  return { kind: 'json', body: { ...outcome.body, service: { credits_charged: outcome.charged } } }
}
