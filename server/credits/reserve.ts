import { env } from '../env'
import { AppError } from '../errors'
import { withSpan } from '../kit/tracing/tracer'
import { GrantsChangedError, type ReserveRequest } from './hold-request'
import { askLedger, type LedgerResponse, mayBeHeld, type ReservedRow } from './ledger-batch'
import { settleLater } from './pending-settlements'
import { LimitSource } from './shape'
import { accountSuspended } from './suspension'

/** A stored response: its status, its body without the `service` block, and what it cost. */
export type StoredResponse = { status: number; body: Record<string, unknown>; charged: bigint }

export type Reservation = { kind: 'held'; amount: bigint } | { kind: 'replay'; answer: StoredResponse }

/**
 * Takes the hold of a billed call: checks key, balance, key budget and spend limit in one atomic
 * step, shared with concurrent callers. A known Idempotency-Key returns its stored response
 * instead. Nothing is held for a client that disconnected before the request was sent. A payer with
 * an admission is authenticated in the same step, and gets that refusal first. Throws
 * `insufficient_credits` with `limitSource`, `rate_limited`, `unauthorized`, `forbidden` for a
 * suspended account, `conflict`, `idempotency_mismatch`, `unavailable`.
 */
export const reserveCredits = (request: ReserveRequest, gone?: AbortSignal): Promise<Reservation> =>
  withSpan('reserve', async (span) => {
    const reserved = await takeHold(request, gone)
    span?.setAttributes({
      'tollgate.hold.id': request.id,
      'tollgate.owner.id': request.ownerId,
      'tollgate.product': request.product,
      'tollgate.channel': request.channel,
      ...(reserved.kind === 'held'
        ? { 'tollgate.credits.held': Number(reserved.amount) }
        : { 'tollgate.replayed': true }),
    })
    return reserved
  })

async function takeHold(request: ReserveRequest, gone?: AbortSignal): Promise<Reservation> {
  const { admission } = request
  const { authenticated, reserved } = await askForHold(request, gone)
  if (admission && authenticated) admission.entered(authenticated)
  if (!reserved && admission) throw new GrantsChangedError()
  if (!reserved) throw new Error('credits_batch returned no row for a hold')
  return reservationOf(request, reserved)
}

async function askForHold(request: ReserveRequest, gone?: AbortSignal): Promise<LedgerResponse> {
  const { id, ownerId, admission } = request
  if (admission) admission.isAsked = true
  try {
    return await askLedger(
      { reserve: request, owner: ownerId, hash: admission?.hash, version: admission?.version },
      gone,
    )
  } catch (error) {
    // The hold may exist although its response was lost.
    if (mayBeHeld(request)) settleLater({ id, ownerId, held: 0n, actual: 0n, status: 'void' }, 'maybe')
    if (!gone?.aborted || error !== gone.reason) throw error
    throw new AppError('conflict', 'The client disconnected.', { cause: error })
  }
}

/** What became of a hold that was asked for. Throws its refusal. */
function reservationOf(request: ReserveRequest, row: ReservedRow): Reservation {
  switch (row.outcome) {
    case 'held':
    case 'again':
      return { kind: 'held', amount: BigInt(row.amount) }
    case 'replay':
      return { kind: 'replay', answer: storedAnswer(row) }
    case 'balance':
    case 'key_budget':
    case 'key_period':
    case 'conversation':
      throw insufficientCredits(row.outcome, request.minCredits ?? request.maxCredits, BigInt(row.amount))
    case 'suspended':
      throw accountSuspended(row.reply_answer)
    case 'busy': {
      const text = `This account has ${env().OWNER_CONCURRENCY} calls in progress, the most it may have.`
      throw new AppError('rate_limited', `${text} Wait for one to end.`, { retryAfter: 1 })
    }
    case 'key_gone':
      throw new AppError('unauthorized', 'This key was revoked or has expired.')
    case 'in_flight':
      throw new AppError('conflict', 'A request with this Idempotency-Key is in progress. Wait for its response.')
    case 'mismatch':
      throw new AppError('idempotency_mismatch', 'This Idempotency-Key was used with another body.')
    case 'settled':
      throw new AppError('conflict', 'This call was made and settled before.')
    default:
      throw new Error(`credits_batch: ${row.outcome satisfies never}`)
  }
}

/**
 * A stored 402 is that of a metered call whose credits ran out: only the limit is stored, not the
 * result.
 */
function storedAnswer(row: ReservedRow): StoredResponse {
  const charged = BigInt(row.reply_charged ?? 0)
  if (row.reply_status !== 402)
    return { status: row.reply_status ?? 200, body: JSON.parse(row.reply_answer ?? '{}'), charged }
  const { status, message, code, detail } = creditsExhausted(charged, LimitSource.parse(row.reply_answer ?? 'balance'))
  return { status, body: { error: message, code, ...detail }, charged }
}

/**
 * The 402 of a metered call that cost more than was left: it ran, what was left is charged, no
 * result.
 */
export const creditsExhausted = (charged: bigint, limitSource: LimitSource): AppError =>
  new AppError('insufficient_credits', 'The credits ran out during the call. What was left was charged.', {
    detail: { limitSource },
    charge: { credits: Number(charged) },
  })

/** What has too little, as the beginning of a sentence that ends in the credits it has. */
export const WHERE_SHORT: Record<LimitSource, string> = {
  balance: 'the account has',
  key_budget: "the key's budget leaves",
  key_period: "the key's recurring budget leaves",
  conversation: "the conversation's spend limit leaves",
}

/** The 402 of a refused call: nothing ran, nothing was charged. */
function insufficientCredits(source: LimitSource, needed: bigint, free: bigint): AppError {
  const left = free < 0n ? 0n : free
  return new AppError(
    'insufficient_credits',
    `Not enough credits: this call may cost ${needed}, and ${WHERE_SHORT[source]} ${left}.`,
    { detail: { limitSource: source } },
  )
}
