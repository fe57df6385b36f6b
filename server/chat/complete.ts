import type { Idempotency } from '../credits/hold-request'
import type { CallPlan, Held, Ran, Unsettled } from '../credits/plan'
import type { CallChannel } from '../credits/shape'
import { AppError } from '../errors'
import type { CallerGrants } from '../keys/grants'
import { sseTiming } from '../kit/sse'
import { withTimeout } from '../kit/with-timeout'
import type { CompletionBill } from '../models/bill'
import type { CallModelOptions, Completion } from '../models/completion'
import { makeTokenCounter } from '../models/tokens'
import { callModel } from '../models/upstream/call'
import { limitOutput } from '../models/upstream/output-guard'
import type { StreamPiece, WireCall } from '../models/wires/wire'
import { openModelLog } from '../request-log/model-log'
import { callOrEnd, cancelOn } from './call-or-end'
import { type CompletionPlan, planCompletion } from './plan'
import { billCall, type HeldCall } from './settle'
import { billedStream, disconnectedAnswer, openStreamedCall, type StreamedCall } from './stream'

export type CompletionCall = {
  /** The request in its wire. */
  wire: WireCall
  ownerId: number
  /** What the key may do; null: the owner at the dashboard. */
  grants: CallerGrants | null
  /** The request's id, and its hold's. */
  id: string
  channel: CallChannel
  idempotency?: Idempotency
  /** Aborts when the client disconnects. */
  signal: AbortSignal
  /** Stops a call that would go on without its client. */
  cancel?: AbortSignal
}

export type CompletionAnswer =
  | { kind: 'json'; body: Record<string, unknown>; charged: number }
  /** `isLate`: the model is still silent, so the headers go out ahead of the first piece. */
  | { kind: 'stream'; pieces: AsyncGenerator<StreamPiece>; isLate: boolean }

/**
 * One completion from any wire, billed by its tokens. A stream is settled when it ends, however it
 * ends. A refusal, or an upstream that failed before it answered, throws without a charge.
 */
export async function planCall(
  call: CompletionCall,
): Promise<CallPlan<Ran<CompletionAnswer>> & Pick<CompletionPlan, 'adjusted'>> {
  const { wire, id, ownerId, channel, idempotency } = call
  const plan = await planCompletion(wire.request, { ownerId, grants: call.grants })
  const { least: minCredits, most: maxCredits } = plan
  return {
    adjusted: plan.adjusted,
    terms: { id, minCredits, maxCredits, channel, product: 'chat', what: plan.model.id, idempotency },
    gone: idempotency ? undefined : call.signal,
    run: (held) => complete(call, plan, held),
  }
}

async function complete(
  { wire, id, ownerId, channel, idempotency, signal, cancel: stop }: CompletionCall,
  plan: CompletionPlan,
  held: Held,
): Promise<Ran<CompletionAnswer>> {
  const log = openModelLog({ id, ownerId, request: { model: plan.model.id, ...wire.request.body } })
  const delivered = makeTokenCounter()
  const heldCall = { id, ownerId, channel, plan, held, startedAt: performance.now(), delivered, log }
  const ask = async (options: Pick<CallModelOptions, 'signal' | 'sent' | 'logged'>) => {
    const asked = plan.requestFor(held.amount)
    const each = wire.request.limit.outputTokens ?? asked.outputTokens ?? plan.model.maxOutput
    return limitOutput(await callModel(plan.model, asked, options), { maxTokens: each * plan.n, delivered })
  }
  if (!wire.request.isStream) {
    // With an Idempotency-Key the client asks again for the answer: disconnecting cancels nothing.
    return billJson(heldCall, wire, await callOrEnd(heldCall, cancelOn(stop ?? (idempotency ? null : signal)), ask))
  }
  const streamed = openStreamedCall(heldCall, wire.openStream(id))
  const cancel = cancelOn(signal)
  const completion = callOrEnd({ ...streamed, answer: disconnectedAnswer(streamed) }, cancel, ask)
  const isLate = await isPendingAfter(sseTiming.openAfterMs, completion)
  return { kind: 'streams', outcome: { kind: 'stream', pieces: piecesOf(streamed, completion, cancel), isLate } }
}

async function billJson(
  call: HeldCall,
  { writeAnswer }: WireCall,
  completion: Completion,
): Promise<Unsettled<CompletionAnswer>> {
  if (completion.kind === 'stream') throw new AppError('internal_error', 'The model streamed without being asked to.')
  const { wire, body, facts } = completion
  call.delivered.addTexts(facts.texts)
  call.log?.addTexts(facts.texts)
  const written = (bill: CompletionBill) => writeAnswer({ wire, body }, bill, call.id)
  const answer = (bill: CompletionBill) => ({ status: 200, body: JSON.stringify(written(bill)) })
  const billed = await billCall(call, facts.usage, { status: 'ok', ...(call.held.keep && { answer }) })
  return {
    ...billed,
    outcome: (settled) => {
      const { bill, charged } = billed.outcome(settled)
      return { kind: 'json', body: written(bill), charged }
    },
  }
}

/** True when a promise takes longer than `ms`. Throws what it throws before that. */
const isPendingAfter = async (ms: number, promise: Promise<unknown>): Promise<boolean> =>
  (await withTimeout(
    promise.then(() => true),
    ms,
  )) === null

/**
 * The pieces of a call whose headers may be out already: a failure before the stream is all of it.
 */
async function* piecesOf(
  call: StreamedCall,
  completion: Promise<Completion>,
  cancel: AbortController,
): AsyncGenerator<StreamPiece> {
  const outcome = await completion.catch((error: unknown) => {
    if (error instanceof AppError) return error
    throw error
  })
  if (outcome instanceof AppError) yield* call.write({ kind: 'error', error: outcome, charged: 0 })
  else if (outcome.kind === 'stream') yield* billedStream(call, outcome.events, cancel)
}
