import type { HoldPayer, Idempotency } from '../credits/hold-request'
import { reserveCredits, type StoredResponse } from '../credits/reserve'
import { type CallerGrants, requireModel, requireScope } from '../keys/grants'
import type { CompletionBill } from '../models/bill'
import { callEmbeddings, type EmbeddingItem, type EmbeddingsAnswer } from '../models/embeddings/call'
import { estimateInputs } from '../models/embeddings/estimate'
import type { EmbeddingsAsk } from '../models/embeddings/request'
import { modelOfKind } from '../models/of-kind'
import { creditsForTokens } from '../models/prices'
import { makeTokenCounter } from '../models/tokens'
import { openModelLog } from '../request-log/model-log'
import { callOrEnd, cancelOn } from './call-or-end'
import { settleCall } from './settle'

type EmbeddingsCall = {
  model: string
  ask: EmbeddingsAsk
  payer: HoldPayer
  grants: CallerGrants
  /** The request's id, and its hold's. */
  id: string
  idempotency?: Idempotency
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

/** An answer in the common wire format, with each vector in base64. */
export type EmbeddingsBody = { object: string; data: EmbeddingItem[]; model: string; usage: object }

export type EmbeddingsOutcome =
  | { kind: 'made'; body: EmbeddingsBody; charged: number }
  | { kind: 'replay'; answer: StoredResponse }

/**
 * Embeddings of texts, billed by their tokens: estimate, reserve, call, settle. A refusal, or
 * upstreams that failed, throw without a charge.
 */
export async function embedTexts({ ask, grants, payer, id, ...call }: EmbeddingsCall): Promise<EmbeddingsOutcome> {
  const model = modelOfKind('embedding', call.model)
  requireScope(grants, 'llm')
  requireModel(grants, model.id)
  const { tokens, maxTokens } = await estimateInputs(ask.inputs, model, payer.ownerId)
  const { idempotency } = call
  const reserved = await reserveCredits(
    {
      ...payer,
      id,
      maxCredits: creditsForTokens({ inputTokens: maxTokens, outputTokens: 0 }, model),
      channel: 'embeddings',
      product: 'chat',
      what: model.id,
      idempotency,
    },
    idempotency ? undefined : call.signal,
  )
  if (reserved.kind === 'replay') return { kind: 'replay', answer: reserved.answer }
  const held = {
    id,
    ownerId: payer.ownerId,
    channel: 'embeddings' as const,
    plan: { model, promptTokens: tokens },
    held: reserved.amount,
    keep: reserved.keep,
    startedAt: performance.now(),
    delivered: makeTokenCounter(),
    log: openModelLog({ id, ownerId: payer.ownerId, request: { model: model.id, input: ask.inputs } }),
  }
  // With an Idempotency-Key the client asks again for the answer, so disconnecting cancels nothing.
  const cancel = cancelOn(idempotency ? null : call.signal)
  const answer = await callOrEnd(held, cancel, (options) => callEmbeddings(model, ask, options))
  const bodyOf = (bill: CompletionBill) => writeBody(answer, model.id, bill)
  const stored = (bill: CompletionBill) => ({ status: 200, body: JSON.stringify(bodyOf(bill)) })
  const outcome = { status: 'ok', ...(held.keep && { answer: stored }) } as const
  const { bill, charged } = await settleCall(held, answer.usage, outcome)
  return { kind: 'made', body: bodyOf(bill), charged }
}

const writeBody = ({ rest, items }: EmbeddingsAnswer, model: string, { usage }: CompletionBill): EmbeddingsBody => ({
  ...rest,
  object: 'list',
  data: items,
  model,
  usage: { prompt_tokens: usage.inputTokens, total_tokens: usage.inputTokens },
})
