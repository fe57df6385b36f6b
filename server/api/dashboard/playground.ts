import { z } from 'zod'
import { historyName } from '../../accounts/history-name'
import { type CompletionCall, completeCall } from '../../chat/complete'
import { estimateCompletion } from '../../chat/estimate'
import { AppError } from '../../errors'
import { chatWireCall } from '../../models/wires/chat/call'
import { ChatRequest } from '../../models/wires/chat/request'
import { NOT_AUDITED } from '../operation-meta'
import type { CompletionStream } from '../public/completion'
import { ownerProcedure, router } from '../trpc'
import { billedCallProcedure } from './billed-call'
import { checkPrice, nullIfInvalid, PriceCheck } from './price-check'

/**
 * Begins a turn. Throws what refuses it; else returns as soon as its credits are held, so that the
 * client knows its id while the model is still silent. A later failure is the last piece.
 */
async function beginTurn(call: CompletionCall): Promise<CompletionStream> {
  const held = Promise.withResolvers<void>()
  const stream = streamOf(completeCall({ ...call, onHeld: held.resolve }))
  // The pieces report its failure; here it only must not count as unhandled.
  stream.catch(() => {})
  await Promise.race([held.promise, stream])
  return piecesOf(stream)
}

async function streamOf(completing: ReturnType<typeof completeCall>): Promise<CompletionStream> {
  const answer = await completing
  if (answer.kind === 'stream') return answer.pieces
  throw new AppError('internal_error', 'A turn must be streamed.')
}

async function* piecesOf(stream: Promise<CompletionStream>): CompletionStream {
  const pieces = await stream.catch((thrown: unknown) => {
    if (thrown instanceof AppError) return thrown
    throw thrown
  })
  // A stream that never began was not charged.
  if (pieces instanceof AppError) yield { kind: 'error', error: pieces, charged: 0 }
  else yield* pieces
}

const ChatPriceCheck = PriceCheck.extend({ promptTokens: z.int().describe('Tokens of the prompt at most') })

export const playgroundRouter = router({
  /**
   * The name under which a browser keeps this owner's conversations: another one for each account,
   * also of another instance at the same address.
   */
  historyName: ownerProcedure.output(z.string()).query(({ ctx }) => historyName(ctx.owner)),

  /**
   * What a turn would cost; null: it would be refused. Nothing is held, and no model asked. A
   * mutation only because a conversation can be longer than a URL.
   */
  estimate: ownerProcedure
    .meta(NOT_AUDITED)
    .input(ChatRequest)
    .output(ChatPriceCheck.nullable())
    .mutation(async ({ ctx, input }) => {
      const estimating = async () => estimateCompletion(ctx.owner, chatWireCall(input).request, { signal: ctx.signal })
      const estimate = await nullIfInvalid(estimating())
      // The most is an answer of the greatest length, which is far from what a turn costs.
      return estimate && checkPrice(ctx.owner, estimate, { least: estimate.least, asksAt: 'typical' })
    }),

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
