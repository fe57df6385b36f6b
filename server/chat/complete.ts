import { type HoldPayer, type Idempotency, reserveCredits, type StoredResponse } from '../credits/reserve'
import { voidHold } from '../credits/settle'
import type { CallChannel } from '../credits/shape'
import { AppError } from '../errors'
import type { CallerGrants } from '../keys/grants'
import { sseTiming } from '../kit/sse'
import type { CompletionBill } from '../models/bill'
import type { Completion } from '../models/completion'
import { readUsage } from '../models/prices'
import { makeTokenCounter } from '../models/tokens'
import { callModel } from '../models/upstream/call'
import { planChat } from './plan'
import { type HeldCall, settleCall, wireUsage } from './settle'
import type { ChatRequest, StreamPiece } from './shape'
import { billedStream } from './stream'

export type ChatCall = {
  request: ChatRequest
  payer: HoldPayer
  /** What the key may do; null: the owner at the dashboard. */
  grants: CallerGrants | null
  /** The request's id, and its hold's. */
  id: string
  door: CallChannel
  /** Only for answers that are not streamed. */
  idempotency?: Idempotency
  /** Aborts when the caller leaves. */
  gone: AbortSignal
  /** Hears that the call is admitted and its credits are held: from here on nothing is refused. */
  onHeld?: () => void
}

export type ChatAnswer =
  | { kind: 'json'; body: Record<string, unknown>; charged: number }
  | { kind: 'replay'; answer: StoredResponse }
  /** `isLate`: the model is still silent, so the headers go out ahead of the first piece. */
  | { kind: 'stream'; pieces: AsyncGenerator<StreamPiece>; isLate: boolean }

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
  const ask = { ...payer, id, least, most, door, product: 'chat', what: plan.model.id, idempotency } as const
  const admitted = await reserveCredits(ask, idempotency ? undefined : call.gone)
  if (admitted.kind === 'replay') return { kind: 'replay', answer: admitted.answer }
  call.onHeld?.()

  const held: HeldCall = {
    id,
    ownerId: payer.ownerId,
    plan,
    held: admitted.amount,
    startedAt: performance.now(),
    delivered: makeTokenCounter(),
  }
  const stop = new AbortController()
  // A caller with an Idempotency-Key will come back for the answer, so the call goes on without it.
  const leave = () => !idempotency && stop.abort(new AppError('conflict', 'The caller left.'))
  call.gone.addEventListener('abort', leave, { once: true })
  if (call.gone.aborted) leave()

  const sent = { accepted: false }
  const asked = callModel(plan.model, plan.bodyFor(admitted.amount), { signal: stop.signal, sent }).catch(
    async (error: unknown) => {
      throw await endFailed(held, error, error === stop.signal.reason && sent.accepted)
    },
  )
  const includeUsage = request.stream_options?.include_usage === true
  const streamOf = ({ events }: Extract<Completion, { kind: 'stream' }>) =>
    billedStream(held, events, { includeUsage, stop })
  const completion = await (streamed ? unlessLate(asked, sseTiming.openAfterMs) : asked)
  if (completion === null) return { kind: 'stream', pieces: lateStream(asked, streamOf), isLate: true }
  if (completion.kind === 'json') return settleJson(held, completion.body, idempotency !== undefined)
  return { kind: 'stream', pieces: streamOf(completion), isLate: false }
}

/** What a promise brings, or null when it takes longer than `ms`. */
async function unlessLate<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** A stream whose upstream is still silent: it opens, so that comments can keep it alive; a failure is its only event. */
async function* lateStream(
  asked: Promise<Completion>,
  streamOf: (completion: Extract<Completion, { kind: 'stream' }>) => AsyncGenerator<StreamPiece>,
): AsyncGenerator<StreamPiece> {
  let completion: Completion
  try {
    completion = await asked
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    yield { kind: 'error', error, charged: 0 }
    return
  }
  if (completion.kind === 'stream') yield* streamOf(completion)
}

/** Ends a call that brought nothing: void, or, when the caller left an upstream at work, the prompt's price. */
async function endFailed(call: HeldCall, error: unknown, leftAtWork: boolean): Promise<unknown> {
  if (leftAtWork) {
    await settleCall(call, null, { status: 'failed', error: 'The caller left.' })
  } else {
    const told = error instanceof AppError ? error.message : 'The model call failed.'
    await voidHold(call, { durationMs: Math.round(performance.now() - call.startedAt), error: told })
  }
  return error
}

async function settleJson(call: HeldCall, answered: Record<string, unknown>, isKept: boolean): Promise<ChatAnswer> {
  call.delivered.addChunk(answered)
  const bodyWith = ({ estimated, usage }: CompletionBill) => ({
    ...answered,
    model: call.plan.model.id,
    usage: estimated ? wireUsage(usage) : answered.usage,
  })
  const keep = isKept ? (bill: CompletionBill) => ({ status: 200, body: JSON.stringify(bodyWith(bill)) }) : undefined
  const { bill, charged } = await settleCall(call, readUsage(answered.usage), { status: 'ok', keep })
  return { kind: 'json', body: bodyWith(bill), charged }
}
