import { type CompletionCall, completeCall } from '../../chat/complete'
import { AppError } from '../../errors'
import { chatWireCall } from '../../models/wires/chat/call'
import { ChatRequest } from '../../models/wires/chat/request'
import type { ChatStream } from '../public/chat'
import { router } from '../trpc'
import { billedCallProcedure } from './billed-call'

/**
 * Begins a turn: throws what refuses it, else answers as soon as its credits are held, so that its caller knows its
 * id while the model is still thinking. What fails from then on is the last piece.
 */
async function beginTurn(call: CompletionCall): Promise<ChatStream> {
  const held = Promise.withResolvers<void>()
  const answer = piecesOf(completeCall({ ...call, onHeld: held.resolve }))
  // The stream tells of a failure too; here it only must not count as unheard.
  answer.catch(() => {})
  await Promise.race([held.promise, answer])
  return turnPieces(answer)
}

async function piecesOf(answering: ReturnType<typeof completeCall>): Promise<ChatStream> {
  const answer = await answering
  if (answer.kind === 'stream') return answer.pieces
  throw new AppError('internal_error', 'A turn must be streamed.')
}

async function* turnPieces(answer: Promise<ChatStream>): ChatStream {
  const pieces = await answer.catch((thrown: unknown) => {
    if (thrown instanceof AppError) return thrown
    throw thrown
  })
  // An answer that never began is void.
  if (pieces instanceof AppError) yield { kind: 'error', error: pieces, charged: 0 }
  else yield* pieces
}

export const playgroundRouter = router({
  /** One turn of a chat, always streamed, always with usage. Paid by the owner, without a key. */
  chat: billedCallProcedure.input(ChatRequest).mutation(({ ctx, input }) =>
    beginTurn({
      wire: chatWireCall({ ...input, stream: true, stream_options: { ...input.stream_options, include_usage: true } }),
      payer: { ownerId: ctx.owner, keyId: null },
      grants: null,
      id: ctx.requestId,
      channel: 'playground',
      signal: ctx.signal,
    }),
  ),
})
