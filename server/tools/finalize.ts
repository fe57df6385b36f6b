import { creditsLost } from '../credits/metrics'
import type { Unsettled } from '../credits/plan'
import { creditsForUsd } from '../credits/price'
import { creditsExhausted } from '../credits/reserve'
import type { Settlement, SettleRequest } from '../credits/settlement'
import type { ReceiptDetail } from '../credits/shape'
import type { AnswerKeeper } from '../credits/stored-response'
import { env } from '../env'
import { AppError } from '../errors'
import { errorStack } from '../kit/error-stack'
import { log } from '../kit/log'
import type { ToolCall, ToolOutcome } from './call'
import { ProviderRefusal } from './provider-refusal'
import { clientDisconnected, type FinishedRun } from './run'

/** Even a call that used all of its time waits this long for the database to take its charge. */
const MIN_PATIENCE_MS = 5_000

/**
 * Credits a call holds, and its caller's own limit; null: it has none. `keep`: what is stored of
 * its answer, for an Idempotency-Key.
 */
type Held = { held: bigint; cap: bigint | null; keep?: AnswerKeeper }

/** What a finished run is charged, and what its caller gets. */
export function finalizeRun(call: ToolCall, run: FinishedRun, { held, cap, keep }: Held): Unsettled<ToolOutcome> {
  const { tool, id, payer, channel } = call
  const hold = { id, ownerId: payer.ownerId, channel, held }
  const error = run.disconnected && run.error !== undefined && !run.sent ? clientDisconnected() : run.error
  // Unavailable is this service itself: it delivered nothing, whatever the provider did.
  const isVoid =
    error instanceof AppError &&
    (error.code === 'unavailable' ||
      (error.code !== 'upstream_error' && !run.sent) ||
      (error instanceof ProviderRefusal && run.costUsd === 0))
  if (isVoid) {
    return voidRun(hold, run, error)
  }
  const isFixed = tool.pricing.kind === 'fixed'
  const failure = error === undefined ? null : asToolFailure(call, error)
  const cost = isFixed ? (run.sent || !failure ? held : 0n) : creditsForUsd(run.costUsd)
  const actual = cap !== null && cost > cap ? cap : cost
  if (actual < cost) recordLoss(id, cost - actual)
  const outcome = ({ charged, limit, shown, expired }: Settlement): ToolOutcome => {
    if (expired) keep?.(null)
    if (failure) throw failure.charged(Number(charged))
    if (limit) throw creditsExhausted(charged, limit, shown)
    return { kind: 'ran', result: run.result ?? {}, charged: Number(charged) }
  }
  const settlement: SettleRequest = {
    ...hold,
    actual,
    extend: !isFixed,
    patienceMs: Math.max(MIN_PATIENCE_MS, run.leftMs),
    status: failure ? 'failed' : 'ok',
    detail: {
      durationMs: run.durationMs,
      ...(!isFixed && meteredDetail(run)),
      ...(actual < cost && { loss: Number(cost - actual) }),
      ...(failure && { error: failure.message }),
    },
    ...(keep && { answer: keep(responseOf(run, failure)) }),
  }
  return { kind: 'performed', settlement, outcome }
}

/** A refusal, or a failure of this service: the hold is released, and the error thrown. */
function voidRun(
  hold: Pick<SettleRequest, 'id' | 'ownerId' | 'channel' | 'held'>,
  { durationMs, costUsd }: FinishedRun,
  error: AppError,
): Unsettled<ToolOutcome> {
  if (costUsd > 0) recordLoss(hold.id, creditsForUsd(costUsd))
  const detail = { durationMs, error: error.message }
  const outcome = () => {
    throw error
  }
  return { kind: 'performed', settlement: { ...hold, actual: 0n, status: 'void', detail }, outcome }
}

function meteredDetail({ costUsd }: FinishedRun): Partial<ReceiptDetail> {
  const { CREDITS_PER_USD, MARKUP } = env()
  return { costUsd, creditsPerUsd: CREDITS_PER_USD, markup: MARKUP }
}

/** What a repeat with the same Idempotency-Key gets. */
function responseOf(run: FinishedRun, failure: AppError | null) {
  if (!failure) return { status: 200, body: run.text ?? '{}' }
  const { status, message, fields, retryAfter } = failure
  return { status, body: JSON.stringify({ error: message, ...fields, retryAfter }) }
}

/** The operator pays what a call cost beyond its caller's charge. */
function recordLoss(hold: string, credits: bigint): void {
  creditsLost.inc(Number(credits))
  log.warn({ hold, credits: Number(credits) }, 'a call cost more than its caller is charged')
}

/** The error that a caller gets for a failed run. Details of an unexpected one are only logged. */
function asToolFailure({ tool, id, payer }: ToolCall, error: unknown): AppError {
  if (error instanceof AppError)
    return error.code === 'upstream_error'
      ? error
      : new AppError('upstream_error', error.message, { reason: error.reason })
  log.error({ tool: tool.id, requestId: id, owner: payer.ownerId, err: errorStack(error) }, 'tool failed')
  return new AppError('upstream_error', `${tool.id} failed.`, { cause: error })
}
