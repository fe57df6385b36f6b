import { databaseUnavailable, runStatement } from '../db'
import { AppError } from '../errors'
import { statement } from '../kit/statement'
import { withSpan } from '../kit/tracing/tracer'
import { findBudgets, hasRates, knownVersion, readBudgets } from './budgets/find'
import { noteTokenRates } from './budgets/rates'
import type { AuthenticatedRow, EnteringKey, ReserveRequest } from './hold-request'
import { askLedger, type LedgerRequest, type LedgerResponse, mayBeHeld, type ReservedRow } from './ledger-batch'
import { busyLimit, waitInQueue } from './limit-queue'
import { type LimitState, limitRow, parseLimit } from './limit-state'
import { settleLater } from './pending-settlements'
import type { Held, Replay } from './plan'
import { LimitSource } from './shape'
import { admitFromSlice, countAdmitted, endSlices } from './slices'
import { makeAnswerKeeper } from './stored-response'
import { accountSuspended } from './suspension'
import { waitForWriters } from './wait-for-writers'

/** When to send a call again whose credits others hold, seconds. */
const RESERVED_RETRY_S = 2
/** How often a hold is asked for again whose account's budgets have changed meanwhile. */
const MAX_STALE = 5

/** A stored response: its status, its body without the `service` block, and what it cost. */
export type StoredResponse = { status: number; body: Record<string, unknown>; charged: bigint }

export type Reservation = Held | Replay

/**
 * Takes the hold of a billed call: checks key, balance, key budget and spend limit in one atomic
 * step, shared with concurrent callers. A known Idempotency-Key returns its stored response
 * instead. Nothing is held for a client that disconnected before the request was sent. Throws
 * `insufficient_credits` with `limitSource`, `rate_limited`, `unauthorized`, `forbidden` for a
 * suspended account, `conflict`, `idempotency_mismatch`, `unavailable`.
 *
 * Where the limits would allow the call but for what other calls hold, it waits for them, at most
 * 2 s and after those that wait already; then its `insufficient_credits` has `reserved`.
 */
export const reserveCredits = (request: ReserveRequest, gone?: AbortSignal): Promise<Reservation> =>
  traced(request, async (note) => note(await takeHold(request, gone)))

/**
 * What became of a key and of the hold that was to be taken with it; null: nothing was held,
 * because the key was not let in or has other grants by now.
 */
export type EnteredHold = { key: AuthenticatedRow; hold: Reservation | { kind: 'refused'; error: unknown } | null }

/**
 * Lets a key in and takes the hold of its call, in one statement. Throws only where the ledger did
 * not answer: `unavailable`, or `conflict` for a client that disconnected before.
 */
export const enterAndHold = (request: ReserveRequest, key: EnteringKey, gone?: AbortSignal): Promise<EnteredHold> =>
  traced(request, async (note) => {
    const admitted = gone?.aborted ? null : admitFromSlice(request, key)
    if (admitted) return { key: admitted.key, hold: note(heldCredits(admitted.amount)) }
    const { authenticated, reserved } = await askForHold({ ...key, reserve: request, owner: request.ownerId }, gone)
    if (!authenticated) throw new Error('credits_batch returned no row for a key')
    const taking = reserved && takeOrWait(request, reserved, gone).then(note)
    return {
      key: countAdmitted(key, authenticated),
      hold: (await taking?.catch((error) => ({ kind: 'refused', error }) as const)) ?? null,
    }
  })

/** True where a request has to wait behind others under one of its limits. */
export const mustQueue = (request: ReserveRequest): boolean => busyLimit(() => limitsOf(request)) !== null

/** A span of a hold. `note` adds what was taken. */
const traced = <T>(request: ReserveRequest, work: (note: (taken: Reservation) => Reservation) => Promise<T>) =>
  withSpan('reserve', (span) => {
    span?.setAttributes({
      'tollgate.hold.id': request.id,
      'tollgate.owner.id': request.ownerId,
      'tollgate.product': request.product,
      'tollgate.channel': request.channel,
    })
    return work((taken) => {
      span?.setAttributes(
        taken.kind === 'held' ? { 'tollgate.credits.held': Number(taken.amount) } : { 'tollgate.replayed': true },
      )
      return taken
    })
  })

async function takeHold(request: ReserveRequest, gone?: AbortSignal): Promise<Reservation> {
  const limit = busyLimit(() => limitsOf(request))
  return limit === null ? takeOrWait(request, await askRow(request, gone), gone) : waitForCredits(request, limit, gone)
}

/** What became of a hold that was asked for once. It waits for credits that other calls hold. */
async function takeOrWait(asked: ReserveRequest, answered: ReservedRow, gone?: AbortSignal): Promise<Reservation> {
  const again = await renewedAfter(asked, answered)
  const request = again ?? asked
  let row = again ? await askRow(again, gone) : answered
  // What counts as a call in progress may have been answered.
  if (row.outcome === 'busy' && (await waitForWriters(request.ownerId))) row = await askRow(request, gone)
  if (isReserved(row) && (await endSlices(request.ownerId))) row = await askRow(request, gone)
  return isReserved(row) ? waitForCredits(request, refusingLimit(request, row), gone) : reservationOf(request, row)
}

/** True for a refusal that only credits cause which other calls hold. */
const isReserved = (row: ReservedRow): row is ReservedRow & { outcome: LimitSource } =>
  row.held !== null && LimitSource.safeParse(row.outcome).success

type OneOfAKind = Exclude<LimitSource, 'budget'>

const limitName = ({ ownerId, keyId, jobId }: ReserveRequest, source: OneOfAKind): string => {
  const ids = { balance: ownerId, key_budget: keyId, key_period: keyId, account_day: ownerId, conversation: jobId }
  return `${source} ${ids[source]}`
}

/** The name of the limit that refused a hold, in the queues of this process. */
const refusingLimit = (request: ReserveRequest, { outcome, short }: { outcome: LimitSource; short: unknown }) =>
  outcome === 'budget' ? `budget ${limitRow(short)}` : limitName(request, outcome)

const limitsOf = (request: ReserveRequest): string[] => [
  ...LimitSource.exclude(['budget']).options.map((source) => limitName(request, source)),
  ...findBudgets(request).rows.map(({ id }) => `budget ${id}`),
]

/**
 * Waits, in a fair order, for credits that other calls hold. Throws the refusal when they did not
 * come in time.
 */
async function waitForCredits(request: ReserveRequest, limit: string, gone?: AbortSignal): Promise<Reservation> {
  let row: ReservedRow | null = null
  const ask = async () => {
    if ((await request.isWanted?.()) === false) throw new AppError('insufficient_credits', NOT_WANTED, RESERVED)
    row = await askRow(request, gone)
    return isReserved(row) ? null : row
  }
  const got = await waitInQueue({ limit, ownerId: request.ownerId }, ask, gone).catch((error: unknown) => {
    throw clientGone(error, gone)
  })
  const last = got ?? row
  if (!last) throw new Error('a queue ended without an attempt')
  return reservationOf(request, last)
}

const NOT_WANTED = 'What the credits were for has ended.'
/** Of a refusal in which other calls have a part, and which passes. */
const RESERVED = { reason: 'credits_reserved', detail: { reserved: 0 } } as const

type HoldRequest = LedgerRequest & { reserve: ReserveRequest }

/** A request by what its account's budgets and customers are now. */
async function renewed(request: ReserveRequest): Promise<ReserveRequest> {
  request.counted ??= new Set()
  await readBudgets(request.ownerId)
  return request.findCustomer ? { ...request, customerId: await request.findCustomer() } : request
}

/**
 * A request to be made again, because what it was answered is of older budgets; null: it holds. The
 * ledger does not say so of a rate, whose refusal comes first.
 */
async function renewedAfter(request: ReserveRequest, { outcome }: ReservedRow): Promise<ReserveRequest | null> {
  if (outcome !== 'stale' && outcome !== 'rate') return null
  const version = knownVersion(request.ownerId)
  const again = await renewed(request)
  return outcome === 'stale' || knownVersion(request.ownerId) !== version ? again : null
}

/**
 * True for a hold that its key has to be let in before: what this process knows refuses it, which
 * may be old, or counts it in a minute, which a key that is refused must not.
 */
export const mustEnterFirst = (request: ReserveRequest): boolean => {
  if (request.customerId === undefined && !hasRates(request.ownerId)) return false
  const { refusal, rates = [] } = findBudgets(request)
  return refusal !== undefined || rates.length > 0
}

async function askForHold(asked: HoldRequest, gone?: AbortSignal): Promise<LedgerResponse> {
  const { id, ownerId, isRaise } = asked.reserve
  let { reserve } = asked
  // A hold that is raised counts against what it was taken under.
  let named = isRaise ? undefined : findBudgets(reserve)
  if (named?.refusal) {
    // What this process knows may be old.
    reserve = await renewed(reserve)
    named = findBudgets(reserve)
    if (named.refusal) throw named.refusal
  }
  const { rates } = named ?? {}
  if (rates) reserve.counted ??= new Set()
  const response = await askLedger({ ...asked, reserve, named }, gone).catch((error: unknown) => {
    // The hold may exist although its response was lost. One that is raised is settled by its call.
    if (mayBeHeld(reserve) && !isRaise) settleLater({ id, ownerId, held: 0n, actual: 0n, status: 'void' }, 'maybe')
    throw clientGone(error, gone)
  })
  if (rates && response.reserved && response.reserved.outcome !== 'rate') {
    for (const rate of rates) reserve.counted?.add(rate.id)
    if (response.reserved.outcome === 'held') noteTokenRates(id, rates)
  }
  return response
}

async function askRow(asked: ReserveRequest, gone?: AbortSignal): Promise<ReservedRow> {
  let request = asked
  for (let attempts = 1; ; attempts++) {
    const { reserved } = await askForHold({ reserve: request, owner: request.ownerId }, gone)
    if (!reserved) throw new Error('credits_batch returned no row for a hold')
    const again = await renewedAfter(request, reserved)
    if (!again) return reserved
    if (attempts === MAX_STALE) throw databaseUnavailable(new Error('budgets change faster than they are read'))
    request = again
  }
}

/** What is thrown for a call whose client disconnected; any other error is returned as it is. */
const clientGone = (error: unknown, gone?: AbortSignal): unknown =>
  gone?.aborted && error === gone.reason
    ? new AppError('conflict', 'The client disconnected.', { reason: 'client_disconnected', cause: error })
    : error

/**
 * Raises the hold of a call in progress to between `minCredits` and `maxCredits`, so that
 * `minRemaining` stay free. Returns what is held then: less than `minCredits` where the limits do
 * not allow more. Throws `unavailable`.
 */
export async function raiseHold(request: ReserveRequest): Promise<bigint> {
  const row = await askRow({ ...request, isRaise: true })
  return BigInt(row.amount)
}

/** The one place that makes a `Held`, whose type has a mark that no value has: hence the cast. */
const heldCredits = (amount: bigint, keep?: Held['keep']): Held => ({ kind: 'held', amount, keep }) as Held

/** What became of a hold that was asked for. Throws its refusal. */
function reservationOf(request: ReserveRequest, row: ReservedRow): Reservation {
  switch (row.outcome) {
    case 'held':
    case 'again':
      return heldCredits(BigInt(row.amount), makeAnswerKeeper(request, row.reason === 'full'))
    case 'replay':
      return { kind: 'replay', answer: storedAnswer(row) }
    case 'balance':
    case 'key_budget':
    case 'key_period':
    case 'account_day':
    case 'conversation':
    case 'budget':
      throw insufficientCredits(row.outcome, request.minCredits ?? request.maxCredits, row)
    case 'stale':
      throw new Error('the budgets of a hold are old')
    case 'rate':
      throw rateReached(row)
    case 'suspended':
      throw accountSuspended(row.reply_answer)
    case 'busy': {
      const calls = row.amount === '1' ? '1 call' : `${row.amount} calls`
      const text = `This account has ${calls} in progress, the most it may have.`
      throw new AppError('rate_limited', `${text} Wait for one to end.`, { retryAfter: 1 })
    }
    case 'key_gone':
      throw new AppError('unauthorized', 'This key was revoked or has expired.')
    case 'in_flight':
      throw new AppError('conflict', 'A request with this Idempotency-Key is in progress. Wait for its response.', {
        reason: 'in_progress',
      })
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
function storedAnswer(row: Pick<ReservedRow, 'reply_status' | 'reply_answer' | 'reply_charged'>): StoredResponse {
  const charged = BigInt(row.reply_charged ?? 0)
  if (row.reply_status !== 402)
    return { status: row.reply_status ?? 200, body: JSON.parse(row.reply_answer ?? '{}'), charged }
  const { status, message, fields } = creditsExhausted(charged, LimitSource.parse(row.reply_answer ?? 'balance'))
  return { status, body: { error: message, ...fields }, charged }
}

const STORED = statement({
  name: 'stored_response',
  sql: `SELECT i.status AS reply_status, i.answer AS reply_answer, i.charged AS reply_charged, r.what
    FROM idempotency i JOIN receipt r ON r.id = i.hold_id WHERE i.hold_id = $1 AND i.status IS NOT NULL`,
  params: ['uuid'],
  columns: { reply_status: 'int?', reply_answer: 'text?', reply_charged: 'bigint?', what: 'text' },
})

/** What was stored of an answer with its charge, and of which tool; null where nothing was. */
export async function findStoredResponse(holdId: string): Promise<{ answer: StoredResponse; what: string } | null> {
  const [row] = await runStatement(STORED, [holdId])
  return row ? { answer: storedAnswer(row), what: row.what } : null
}

/**
 * The 402 of a metered call that cost more than was left: it ran, what was left is charged, no
 * result.
 */
export const creditsExhausted = (charged: bigint, limitSource: LimitSource, limit?: LimitState): AppError =>
  new AppError('insufficient_credits', 'The credits ran out during the call. What was left was charged.', {
    reason: 'credits_exhausted',
    detail: { limitSource, ...(limit && { limit }) },
    charge: { credits: Number(charged) },
  })

/** What has too little, as the beginning of a sentence that ends in the credits it has. */
export const WHERE_SHORT: Record<LimitSource, string> = {
  balance: 'the account has',
  key_budget: "the key's budget leaves",
  key_period: "the key's recurring budget leaves",
  account_day: "the account's daily limit leaves",
  conversation: "the conversation's spend limit leaves",
  budget: 'a budget of the account leaves',
}

const whereShort = (source: LimitSource, limit: LimitState | null): string =>
  source === 'budget' && limit ? `the budget "${limit.name}" leaves` : WHERE_SHORT[source]

/** The 429 of a call beyond what a budget allows a minute. */
function rateReached({ rate, held, short }: ReservedRow): AppError {
  if (!rate) throw new Error('credits_batch refused a hold for a rate that was not asked for')
  const { budgetId: id, name, unit, max: cap } = rate
  const resetsAt = new Date(String((short as { resetsAt?: unknown }).resetsAt))
  const seconds = Math.min(60, Math.max(1, Math.ceil((resetsAt.getTime() - Date.now()) / 1_000)))
  const limit = {
    id,
    name,
    unit,
    window: 'minute',
    cap,
    spent: Number(held),
    held: 0,
    resetsAt: resetsAt.toISOString(),
  }
  return new AppError('rate_limited', `The budget "${name}" allows ${cap} ${unit} a minute. Wait ${seconds} s.`, {
    retryAfter: seconds,
    detail: { limitSource: 'budget', limit },
  })
}

/** The 402 of a refused call: nothing ran, nothing was charged. */
export function insufficientCredits(
  source: LimitSource,
  needed: bigint,
  { amount, held, short }: Pick<ReservedRow, 'amount' | 'held'> & { short: unknown },
): AppError {
  const limit = parseLimit(short)
  const detail = { limitSource: source, ...(limit && { limit }) }
  const free = BigInt(amount)
  const left = free < 0n ? 0n : free
  const text = `Not enough credits: this call may cost ${needed}, and ${whereShort(source, limit)} ${left}`
  if (held === null) return new AppError('insufficient_credits', `${text}.`, { detail })
  return new AppError(
    'insufficient_credits',
    `${text} while calls in progress have ${held} reserved. Send it again when they have ended.`,
    { reason: 'credits_reserved', detail: { ...detail, reserved: Number(held) }, retryAfter: RESERVED_RETRY_S },
  )
}

/** True for a refusal that only credits cause which other calls hold: they may come back. */
export const isOnlyReserved = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'insufficient_credits' && error.detail.reserved !== undefined
