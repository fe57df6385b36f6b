import { z } from 'zod'
import { historyName } from '../../accounts/history-name'
import { type CompletionAnswer, type CompletionCall, planCall } from '../../chat/complete'
import { estimateCompletion } from '../../chat/estimate'
import type { Ran } from '../../credits/plan'
import { AppError } from '../../errors'
import { chatWireCall } from '../../models/wires/chat/call'
import { ChatRequest } from '../../models/wires/chat/request'
import { checkAndHold } from '../billed'
import { NOT_AUDITED } from '../operation-meta'
import type { CompletionStream } from '../public/completion'
import { type Entrance, memberProcedure, type Payer, router } from '../trpc'
import { billedCallProcedure } from './billed-call'
import { checkPrice, nullIfInvalid, PriceCheck } from './price-check'

/**
 * Begins a turn. Throws what refuses it; else returns as soon as its credits are held, so that the
 * client knows its id while the model is still silent. A later failure is the last piece.
 */
async function beginTurn(entrance: Entrance<Payer>, call: Omit<CompletionCall, 'ownerId'>): Promise<CompletionStream> {
  const { plan, reservation } = await checkAndHold(entrance, ({ ownerId }) => planCall({ ...call, ownerId }))
  if (reservation.kind === 'replay') throw new AppError('internal_error', 'A turn was replayed.')
  const stream = plan.run(reservation).then(streamOf)
  // The pieces report its failure; here it only must not count as unhandled.
  stream.catch(() => {})
  return piecesOf(stream)
}

function streamOf(ran: Ran<CompletionAnswer>): CompletionStream {
  if (ran.kind === 'streams' && ran.outcome.kind === 'stream') return ran.outcome.pieces
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
  historyName: memberProcedure('developer')
    .output(z.string())
    .query(({ ctx }) => historyName(ctx.owner)),

  /**
   * What a turn would cost; null: it would be refused. Nothing is held, and no model asked. A
   * mutation only because a conversation can be longer than a URL.
   */
  estimate: memberProcedure('developer')
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
    beginTurn(ctx.entrance, {
      wire: chatWireCall({ ...input, stream: true, stream_options: { ...input.stream_options, include_usage: true } }),
      grants: null,
      id: ctx.requestId,
      channel: 'playground',
      signal: ctx.signal,
    }),
  ),
})
