import type { Idempotency } from '../credits/hold-request'
import type { CallPlan, Held, Unsettled } from '../credits/plan'
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
import { billCall, type PricedPrompt } from './settle'

type EmbeddingsCall = {
  model: string
  ask: EmbeddingsAsk
  ownerId: number
  grants: CallerGrants
  /** The request's id, and its hold's. */
  id: string
  idempotency?: Idempotency
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

/** An answer in the common wire format, with each vector in base64. */
export type EmbeddingsBody = { object: string; data: EmbeddingItem[]; model: string; usage: object }

export type EmbeddingsOutcome = { kind: 'made'; body: EmbeddingsBody; charged: number }

/**
 * Embeddings of texts, billed by their tokens. A refusal, or upstreams that failed, throw without a
 * charge.
 */
export async function planEmbeddings(call: EmbeddingsCall): Promise<CallPlan<Unsettled<EmbeddingsOutcome>>> {
  const { ask, grants, id, idempotency, ownerId } = call
  const model = modelOfKind('embedding', call.model)
  requireScope(grants, 'llm')
  requireModel(grants, model.id)
  const { tokens, maxTokens } = await estimateInputs(ask.inputs, model, ownerId)
  const maxCredits = creditsForTokens({ inputTokens: maxTokens, outputTokens: 0 }, model)
  return {
    terms: { id, maxCredits, channel: 'embeddings', product: 'chat', what: model.id, idempotency },
    gone: idempotency ? undefined : call.signal,
    run: (held) => makeEmbeddings(call, { model, promptTokens: tokens }, held),
  }
}

async function makeEmbeddings(
  { id, ownerId, ask, idempotency, signal }: EmbeddingsCall,
  plan: PricedPrompt,
  held: Held,
): Promise<Unsettled<EmbeddingsOutcome>> {
  const { model } = plan
  const call = {
    id,
    ownerId,
    channel: 'embeddings' as const,
    plan,
    held,
    startedAt: performance.now(),
    delivered: makeTokenCounter(),
    log: openModelLog({ id, ownerId, request: { model: model.id, input: ask.inputs } }),
  }
  // With an Idempotency-Key the client asks again for the answer, so disconnecting cancels nothing.
  const cancel = cancelOn(idempotency ? null : signal)
  const answer = await callOrEnd(call, cancel, (options) => callEmbeddings(model, ask, options))
  const bodyOf = (bill: CompletionBill) => writeBody(answer, model.id, bill)
  const stored = (bill: CompletionBill) => ({ status: 200, body: JSON.stringify(bodyOf(bill)) })
  const billed = await billCall(call, answer.usage, { status: 'ok', ...(held.keep && { answer: stored }) })
  return {
    ...billed,
    outcome: (settled) => {
      const { bill, charged } = billed.outcome(settled)
      return { kind: 'made', body: bodyOf(bill), charged }
    },
  }
}

const writeBody = ({ rest, items }: EmbeddingsAnswer, model: string, { usage }: CompletionBill): EmbeddingsBody => ({
  ...rest,
  object: 'list',
  data: items,
  model,
  usage: { prompt_tokens: usage.inputTokens, total_tokens: usage.inputTokens },
})
