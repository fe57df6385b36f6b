import { type Idempotency, type Payer, reserve, type StoredAnswer } from '../credits/reserve'
import { voidHold } from '../credits/settle'
import type { Door } from '../credits/shape'
import { AppError, isAppError } from '../errors'
import type { Grants } from '../keys/grants'
import { complete } from '../models/complete'
import { readUsage } from '../models/meter'
import { makeCounter } from '../models/tokens'
import type { Completion } from '../models/wire'
import { type Bill, measure, settleChat, wireUsage } from './bill'
import { planChat } from './plan'
import type { ChatRequest, StreamPiece } from './shape'
import { billedStream } from './stream'

export type ChatCall = {
  request: ChatRequest
  payer: Payer
  /** What the key may do; null: the owner at the dashboard. */
  grants: Grants | null
  /** The request's id, and its hold's. */
  id: string
  door: Door
  /** Only for answers that are not streamed. */
  idempotency?: Idempotency
  /** Aborts when the caller leaves. */
  gone: AbortSignal
  /** Hears that the call is admitted and its credits are held: from here on nothing is refused. */
  onHeld?: () => void
}

export type ChatAnswer =
  | { kind: 'json'; body: Record<string, unknown>; charged: number }
  | { kind: 'replay'; answer: StoredAnswer }
  | { kind: 'stream'; pieces: AsyncGenerator<StreamPiece> }

/**
 * One chat completion, billed to its tokens: plan, reserve, call, settle. A stream is settled as it ends, whichever
 * way it ends. A refusal, or an upstream that failed before it answered, throws without a charge.
 */
export async function completeChat(call: ChatCall): Promise<ChatAnswer> {
  const { request, id, payer, door } = call
  const streamed = request.stream === true
  const plan = await planChat(request, call.grants)
  const idempotency = streamed ? undefined : call.idempotency
  const { least, most } = plan
  const admitted = await reserve({ ...payer, id, least, most, door, product: 'chat', what: plan.model.id, idempotency })
  if (admitted.kind === 'replay') return { kind: 'replay', answer: admitted.answer }
  call.onHeld?.()

  const bill: Bill = { id, plan, startedAt: performance.now(), counter: makeCounter() }
  const stop = new AbortController()
  // A caller with an Idempotency-Key will come back for the answer, so the call goes on without it.
  const leave = () => !idempotency && stop.abort(new AppError('conflict', 'The caller left.'))
  call.gone.addEventListener('abort', leave, { once: true })
  if (call.gone.aborted) leave()

  const sent = { accepted: false }
  let completion: Completion
  try {
    completion = await complete(plan.model, plan.bodyFor(admitted.amount), { signal: stop.signal, sent })
  } catch (error) {
    throw await endFailed(bill, error, stop.signal.aborted && sent.accepted)
  }
  if (completion.kind === 'json') return settleJson(bill, completion.body)
  const includeUsage = request.stream_options?.include_usage === true
  return { kind: 'stream', pieces: billedStream(bill, completion.events, { includeUsage, stop }) }
}

/** Ends a call that brought nothing: void, or, when the caller left an upstream at work, the prompt's price. */
async function endFailed(bill: Bill, error: unknown, leftAtWork: boolean): Promise<unknown> {
  if (leftAtWork) {
    await settleChat(bill, await measure(bill, null), { status: 'failed', error: 'The caller left.' })
  } else {
    const told = isAppError(error) ? error.message : 'The model call failed.'
    await voidHold(bill.id, { durationMs: Math.round(performance.now() - bill.startedAt), error: told })
  }
  return error
}

async function settleJson(bill: Bill, answered: Record<string, unknown>): Promise<ChatAnswer> {
  bill.counter.addChunk(answered)
  const measured = await measure(bill, readUsage(answered.usage))
  const usage = measured.estimated ? wireUsage(measured.usage) : answered.usage
  const body = { ...answered, model: bill.plan.model.id, usage }
  const { charged } = await settleChat(bill, measured, {
    status: 'ok',
    answer: { status: 200, body: JSON.stringify(body) },
  })
  return { kind: 'json', body, charged: Number(charged) }
}
