import type { HoldPayer, Idempotency } from '../credits/hold-request'
import { reserveCredits, type StoredResponse } from '../credits/reserve'
import type { CallChannel } from '../credits/shape'
import { AppError } from '../errors'
import type { CallerGrants } from '../keys/grants'
import { sseTiming } from '../kit/sse'
import { withTimeout } from '../kit/with-timeout'
import type { CompletionBill } from '../models/bill'
import type { Completion } from '../models/completion'
import { makeTokenCounter } from '../models/tokens'
import { callModel } from '../models/upstream/call'
import type { BilledEvent, StreamPiece, WireCall } from '../models/wires/wire'
import { openModelLog } from '../request-log/model-log'
import { callOrEnd, cancelOn } from './call-or-end'
import { planCompletion } from './plan'
import { type HeldCall, settleCall } from './settle'
import { billedStream } from './stream'

export type CompletionCall = {
  /** The request in its wire. */
  wire: WireCall
  payer: HoldPayer
  /** What the key may do; null: the owner at the dashboard. */
  grants: CallerGrants | null
  /** The request's id, and its hold's. */
  id: string
  channel: CallChannel
  /** Only for answers that are not streamed. */
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
  const { wire, id, payer, channel } = call
  const { isStream } = wire.request
  const idempotency = isStream ? undefined : call.idempotency
  const plan = await planCompletion(wire.request, call.grants)
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
  const { amount: held } = reserved
  const log = openModelLog({ id, ownerId, request: { model: plan.model.id, ...wire.request.body } })
  const delivered = makeTokenCounter()
  const heldCall = { id, ownerId, channel, plan, held, startedAt: performance.now(), delivered, log }
  // With an Idempotency-Key the client asks again for the answer, so disconnecting cancels nothing.
  const cancel = cancelOn(idempotency ? null : call.signal)
  const completion = callOrEnd(heldCall, cancel, (options) => callModel(plan.model, plan.requestFor(held), options))
  if (!isStream) return settleJson(heldCall, wire, { completion: await completion, isKept: idempotency !== undefined })
  const isLate = await isPendingAfter(sseTiming.openAfterMs, completion)
  return { kind: 'stream', pieces: wire.writeStream(eventsOf(heldCall, completion, cancel), id), isLate }
}

async function settleJson(
  call: HeldCall,
  { writeAnswer }: WireCall,
  { completion, isKept }: { completion: Completion; isKept: boolean },
): Promise<CompletionAnswer> {
  if (completion.kind === 'stream') throw new AppError('internal_error', 'The model streamed without being asked to.')
  const { wire, body, facts } = completion
  call.delivered.addTexts(facts.texts)
  call.log?.addTexts(facts.texts)
  const written = (bill: CompletionBill) => writeAnswer({ wire, body }, bill, call.id)
  const keep = (bill: CompletionBill) => ({ status: 200, body: JSON.stringify(written(bill)) })
  const { bill, charged } = await settleCall(call, facts.usage, { status: 'ok', ...(isKept && { keep }) })
  return { kind: 'json', body: written(bill), charged }
}

/** True when a promise takes longer than `ms`. Throws what it throws before that. */
const isPendingAfter = async (ms: number, promise: Promise<unknown>): Promise<boolean> =>
  (await withTimeout(
    promise.then(() => true),
    ms,
  )) === null

/**
 * The events of a call whose headers may be out already: a failure before the stream is its only
 * event.
 */
async function* eventsOf(
  call: HeldCall,
  completion: Promise<Completion>,
  cancel: AbortController,
): AsyncGenerator<BilledEvent> {
  const outcome = await completion.catch((error: unknown) => {
    if (error instanceof AppError) return error
    throw error
  })
  if (outcome instanceof AppError) yield { kind: 'error', error: outcome, charged: 0 }
  else if (outcome.kind === 'stream') yield* billedStream(call, outcome.events, cancel)
}
