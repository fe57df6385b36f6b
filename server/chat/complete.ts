import type { HoldPayer, Idempotency } from '../credits/hold-request'
import { reserveCredits, type StoredResponse } from '../credits/reserve'
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
import { planCompletion } from './plan'
import { type HeldCall, settleCall } from './settle'
import { billedStream, disconnectedAnswer, openStreamedCall, type StreamedCall } from './stream'

export type CompletionCall = {
  /** The request in its wire. */
  wire: WireCall
  payer: HoldPayer
  /** What the key may do; null: the owner at the dashboard. */
  grants: CallerGrants | null
  /** The request's id, and its hold's. */
  id: string
  channel: CallChannel
  idempotency?: Idempotency
  /** Aborts when the client disconnects. */
  signal: AbortSignal
  /** Called once the credits are held: from here on nothing is refused. */
  onHeld?: () => void
}

export type CompletionAnswer =
  | { kind: 'json'; body: Record<string, unknown>; charged: number }
  | { kind: 'replay'; answer: StoredResponse }
  /** `isLate`: the model is still silent, so the headers go out ahead of the first piece. */
  | { kind: 'stream'; pieces: AsyncGenerator<StreamPiece>; isLate: boolean }

/**
 * One completion from any wire, billed by its tokens: plan, reserve, call, settle. A stream is
 * settled when it ends, however it ends. A refusal, or an upstream that failed before it answered,
 * throws without a charge.
 */
export async function completeCall(call: CompletionCall): Promise<CompletionAnswer> {
  const { wire, id, payer, channel, idempotency } = call
  const { isStream } = wire.request
  const plan = await planCompletion(wire.request, { ownerId: payer.ownerId, grants: call.grants })
  const { least: minCredits, most: maxCredits } = plan
  const hold = {
    ...payer,
    id,
    minCredits,
    maxCredits,
    channel,
    product: 'chat',
    what: plan.model.id,
    idempotency,
  } as const
  const reserved = await reserveCredits(hold, idempotency ? undefined : call.signal)
  if (reserved.kind === 'replay') return { kind: 'replay', answer: reserved.answer }
  call.onHeld?.()

  const { ownerId } = payer
  const { amount: held, keep } = reserved
  const log = openModelLog({ id, ownerId, request: { model: plan.model.id, ...wire.request.body } })
  const delivered = makeTokenCounter()
  const heldCall = { id, ownerId, channel, plan, held, keep, startedAt: performance.now(), delivered, log }
  const ask = async (options: Pick<CallModelOptions, 'signal' | 'sent' | 'logged'>) => {
    const asked = plan.requestFor(held)
    const each = wire.request.limit.outputTokens ?? asked.outputTokens ?? plan.model.maxOutput
    return limitOutput(await callModel(plan.model, asked, options), { maxTokens: each * plan.n, delivered })
  }
  if (!isStream) {
    // With an Idempotency-Key the client asks again for the answer: disconnecting cancels nothing.
    return settleJson(heldCall, wire, await callOrEnd(heldCall, cancelOn(idempotency ? null : call.signal), ask))
  }
  const streamed = openStreamedCall(heldCall, wire.openStream(id))
  const cancel = cancelOn(call.signal)
  const completion = callOrEnd({ ...streamed, answer: disconnectedAnswer(streamed) }, cancel, ask)
  const isLate = await isPendingAfter(sseTiming.openAfterMs, completion)
  return { kind: 'stream', pieces: piecesOf(streamed, completion, cancel), isLate }
}

async function settleJson(
  call: HeldCall,
  { writeAnswer }: WireCall,
  completion: Completion,
): Promise<CompletionAnswer> {
  if (completion.kind === 'stream') throw new AppError('internal_error', 'The model streamed without being asked to.')
  const { wire, body, facts } = completion
  call.delivered.addTexts(facts.texts)
  call.log?.addTexts(facts.texts)
  const written = (bill: CompletionBill) => writeAnswer({ wire, body }, bill, call.id)
  const answer = (bill: CompletionBill) => ({ status: 200, body: JSON.stringify(written(bill)) })
  const { bill, charged } = await settleCall(call, facts.usage, { status: 'ok', ...(call.keep && { answer }) })
  return { kind: 'json', body: written(bill), charged }
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
