import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { env } from '../env'
import { uuidv7 } from '../kit/id'
import { log } from '../kit/log'
import { findBudgets } from './budgets/find'
import type { NamedLimits } from './budgets/named-limits'
import type { AuthenticatedRow, EnteringKey, ReserveRequest } from './hold-request'
import { askLedger, type LedgerResponse, type LedgerWork } from './ledger-batch'
import { creditsFreed } from './limit-queue'
import { settleLater } from './pending-settlements'
import type { SettleRequest } from './settlement'
import { noteSliced, type Split, slicedCall } from './sliced-calls'
import { isUnwritten } from './unwritten'

/**
 * A busy key's calls are admitted from memory. Its process takes a slice of what the key may still
 * spend: one hold for many calls to come. A call that is admitted from it takes its credits from
 * the slice, and gets a receipt with its settlement, or a hold of its own when the slice ends
 * before it. A slice is a hold, so nothing is overspent whatever becomes of the process; what is
 * left of it comes back when it ends.
 *
 * It admits for some time from when it was asked for, in the statement that let its key in. So a
 * revoked key, a suspended account or changed budgets hold everywhere after that time, which those
 * who change them wait for (`afterSlices`). Calls are counted in the key's minute by the next
 * statement. Near a limit, in credits, requests or calls, there are no slices. Tests set their own
 * time, in milliseconds.
 */
export const sliceTiming = { admitMs: 50 }

/** A key is busy from so many calls in the time that a slice admits. */
const BUSY_CALLS = 4
const MIN_CALLS = 4
const FIRST_CALLS = 8
const MAX_CALLS = 256
/** What must stay free beside a slice, in slices: it takes at most a twentieth. */
const REST = 19
/** How long no slice is asked for where too little was left for one, milliseconds. */
const SHORT_MS = 1_000
/** When a statement that was to end slices is tried again, milliseconds. */
const RETRY_MS = 1_000

type Slice = {
  id: string
  /** What is left of it. */
  credits: bigint
  calls: number
  /** When it was asked for, on this process's clock. */
  askedMs: number
  /** The account's budgets that its calls count against, by their ids. */
  under: string
  /** Its calls that have no hold of their own and have not ended. */
  open: Set<string>
}

/** What the next slice is for: calls as the last one, which count `under` the same budgets. */
type LastCall = Pick<ReserveRequest, 'maxCredits' | 'channel' | 'product' | 'what'> &
  Pick<Slice, 'under'> & { named: NamedLimits }

/** What this process has taken ahead for one key. */
type Lease = {
  ownerId: number
  keyId: number
  hash: Buffer
  version: number
  /** What the ledger said of the key last. */
  row: AuthenticatedRow
  slices: Slice[]
  /** Calls that were admitted and are not counted in the key's minute. */
  uncounted: number
  last: LastCall
  /** For how many calls a slice may be: fewer where one was refused. */
  maxCalls: number
  /** It admits nothing more: its slices end. */
  isClosed: boolean
  /** Too little is left for slices: it takes a while until one is asked for again. */
  isShort: boolean
  /** The statement in progress, and what it was asked. */
  renewing: Promise<void> | null
  asked: { slice: Slice | null; counted: number; ended: Slice[] } | null
  timer: NodeJS.Timeout | undefined
}

const leases = new Map<string, Lease>()
/** How many calls of a key under the same budgets came within that time of the first of them. */
const counts = new LRUCache<string, { sinceMs: number; calls: number }>({ max: 10_000 })

const nameOf = (hash: Buffer): string => hash.toString('latin1')

/** A call that a slice may admit: nothing about it has to be looked up or stored. Else null. */
function plainCall(request: ReserveRequest): (LastCall & { keyId: number }) | null {
  const { keyId, maxCredits, channel, product, what } = request
  if (env().DURABLE_ANSWERS === 1 || keyId === null || channel === 'agent') return null
  if (request.customerId !== undefined || request.jobId || request.idempotency || request.minRemaining) return null
  const { version, rows, rates, refusal } = findBudgets(request)
  if (rates || refusal) return null
  const under = rows.map(({ id }) => id).join()
  return { keyId, maxCredits, channel, product, what, under, named: { version, rows } }
}

const isOver = ({ askedMs }: Slice, now: number): boolean => now - askedMs >= sliceTiming.admitMs

/**
 * Admits a call of a busy key from memory, with the key as it is then; null: it has to ask the
 * ledger, and a key that has become busy takes a slice with it.
 */
export function admitFromSlice(
  request: ReserveRequest,
  { hash, version }: EnteringKey,
): { key: AuthenticatedRow; amount: bigint } | null {
  const plain = plainCall(request)
  if (!plain) return null
  const name = nameOf(hash)
  const { keyId, maxCredits: amount, channel, product, what, under } = plain
  const now = performance.now()
  const lease = leases.get(name)
  if (!lease) {
    if (isBusy(name + under, now)) openLease(name, { ...plain, ownerId: request.ownerId }, { hash, version })
    return null
  }
  if (lease.isClosed) return null
  if (lease.version !== version) {
    void close(lease)
    return null
  }
  const slices = lease.slices.filter((one) => one.under === under)
  // Of a key's calls, those under other budgets may be rare: they ask the ledger each time.
  if (slices.length === 0 && under !== lease.last.under && !isBusy(name + under, now)) return null
  lease.last = plain
  const slice = slices.find((one) => one.calls > 0 && one.credits >= amount && !isOver(one, now))
  const remaining = lease.row.remaining ?? 0
  if (!slice || remaining < (REST + 1) * (lease.uncounted + 1)) {
    void renew(lease, false)
    return null
  }
  slice.calls--
  slice.credits -= amount
  slice.open.add(request.id)
  const call = { of: slice.id, keyId, amount, channel, product, what, afterMs: Math.round(now - slice.askedMs) }
  noteSliced(request.id, call, () => slice.open.delete(request.id))
  lease.uncounted++
  lease.row = { ...lease.row, remaining: remaining - 1 }
  void renew(lease, true)
  return { key: lease.row, amount }
}

/**
 * What the ledger said of a key to a call that asked it, with the calls that were admitted and are
 * not counted yet.
 */
export function countAdmitted({ hash }: EnteringKey, row: AuthenticatedRow): AuthenticatedRow {
  const lease = leases.get(nameOf(hash))
  if (!lease || row.remaining === null) return row
  const remaining = Math.max(0, row.remaining - lease.uncounted)
  if (lease.row.remaining !== null) lease.row = { ...lease.row, remaining: Math.min(lease.row.remaining, remaining) }
  return { ...row, remaining }
}

function isBusy(kind: string, now: number): boolean {
  const count = counts.get(kind)
  if (!count || now - count.sinceMs > sliceTiming.admitMs) {
    counts.set(kind, { sinceMs: now, calls: 1 })
    return false
  }
  return ++count.calls >= BUSY_CALLS
}

function openLease(
  name: string,
  last: LastCall & { ownerId: number; keyId: number },
  { hash, version }: EnteringKey,
): void {
  const { ownerId, keyId } = last
  const row = { state: 'ok', key_id: keyId, owner_id: ownerId, grants_version: version } as const
  const unknown = { rpm: null, remaining: null, reset_s: null, reason: null }
  const lease: Lease = {
    ...{ ownerId, keyId, hash, version, last, row: { ...row, ...unknown } },
    ...{
      slices: [],
      uncounted: 0,
      maxCalls: MAX_CALLS,
      isClosed: false,
      isShort: false,
      renewing: null,
      asked: null,
      timer: undefined,
    },
  }
  leases.set(name, lease)
  void renew(lease, false)
}

/** Asks for what a lease needs with a statement that goes at once, or `isBehind`: with the next. */
function renew(lease: Lease, isBehind: boolean): Promise<void> {
  lease.renewing ??= ask(lease, isBehind)
  return lease.renewing
}

async function ask(lease: Lease, isBehind: boolean): Promise<void> {
  clearTimeout(lease.timer)
  let againMs = RETRY_MS
  try {
    renewed(lease, await askLedger({ owner: lease.ownerId, isBehind, work: (settling) => workOf(lease, settling) }))
    againMs = endsIn(lease)
  } catch (error) {
    log.warn({ owner: lease.ownerId, err: (error as Error).message }, 'slices of a key could not be renewed')
    takeBack(lease)
    lease.isClosed = true
  }
  lease.renewing = null
  plan(lease, againMs)
}

/** Renews it again after a while; one of which nothing is left is forgotten. */
function plan(lease: Lease, afterMs: number): void {
  if (lease.slices.length > 0 || lease.uncounted > 0) {
    lease.timer = setTimeout(() => void renew(lease, true), afterMs)
    lease.timer.unref()
    return
  }
  const name = nameOf(lease.hash)
  leases.delete(name)
  const kind = name + lease.last.under
  if (lease.isShort) counts.set(kind, { sinceMs: performance.now() + SHORT_MS, calls: Number.NEGATIVE_INFINITY })
  else counts.delete(kind)
}

/** When the next of its slices is over, milliseconds from now. */
const endsIn = ({ slices }: Lease): number =>
  Math.max(
    2,
    Math.min(sliceTiming.admitMs, ...slices.map(({ askedMs }) => askedMs + sliceTiming.admitMs - performance.now())),
  )

/** What a statement asks for a lease, as it is made; `settling` are the calls that it ends. */
function workOf(lease: Lease, settling: ReadonlySet<string>): LedgerWork {
  // A statement before that came to nothing.
  takeBack(lease)
  const now = performance.now()
  const ended = lease.slices.filter((one) => isEnding(lease, one, now) && isKnown(one, settling))
  const counted = lease.uncounted
  const slice = nextSlice(lease, counted, now)
  lease.uncounted = 0
  lease.asked = { slice, counted, ended }
  const { ownerId, keyId, hash, version, last } = lease
  const { channel, product, what, named } = last
  const splits = ended.flatMap(({ open }) =>
    [...open].filter((id) => !settling.has(id)).map((id) => splitOf(id, ownerId)),
  )
  return {
    hash,
    times: counted,
    version,
    ended: ended.map(endOf(ownerId)),
    splits,
    ...(slice && {
      reserve: {
        ...{ id: slice.id, ownerId, keyId, channel, product, what, calls: slice.calls },
        ...{ maxCredits: slice.credits, minRemaining: slice.credits * BigInt(REST) },
      },
      named,
    }),
  }
}

const endOf =
  (ownerId: number) =>
  ({ id }: Slice): SettleRequest => ({ id, ownerId, held: 0n, actual: 0n, status: 'void' })

function splitOf(id: string, ownerId: number): Split {
  const call = slicedCall(id)
  if (!call) throw new Error('a call of a slice is not known')
  return { ...call, id, ownerId }
}

const isEnding = (lease: Lease, slice: Slice, now: number): boolean =>
  lease.isClosed || slice.calls === 0 || isOver(slice, now)

/**
 * Whether nothing is answered of it that is not written with it: who waits for the end of a slice
 * then finds every charge.
 */
const isKnown = ({ open }: Slice, settling: ReadonlySet<string>): boolean =>
  [...open].every((id) => settling.has(id) || !isUnwritten(id))

/** The slice to take next, by how many calls were admitted since the last; null: none is needed. */
function nextSlice(lease: Lease, used: number, now: number): Slice | null {
  const { isClosed, row, last } = lease
  if (isClosed) return null
  const { under } = last
  const slices = lease.slices.filter((one) => one.under === under)
  // Those that admit for as long as the next statement may take.
  const left = slices.reduce((sum, one) => sum + (isOver(one, now + sliceTiming.admitMs / 2) ? 0 : one.calls), 0)
  if (slices.length > 0 && (used === 0 || left >= 2 * used)) return null
  const ofMinute = row.remaining === null ? MAX_CALLS : Math.floor(row.remaining / (REST + 1))
  const calls = Math.min(lease.maxCalls, ofMinute, Math.max(FIRST_CALLS, 3 * used))
  if (calls < MIN_CALLS) {
    lease.isShort = true
    return null
  }
  return { id: uuidv7(), credits: last.maxCredits * BigInt(calls), calls, askedMs: now, under, open: new Set() }
}

/** What a statement that did not come to an end was asked is to be asked again. */
function takeBack(lease: Lease): void {
  const { asked } = lease
  if (!asked) return
  lease.asked = null
  lease.uncounted += asked.counted
  // It may exist nevertheless.
  if (asked.slice) settleLater(endOf(lease.ownerId)(asked.slice), 'maybe')
}

function renewed(lease: Lease, { authenticated, reserved }: LedgerResponse): void {
  const { asked } = lease
  if (!asked || !authenticated) throw new Error('credits_batch returned no row for a key')
  lease.asked = null
  const ended = new Set(asked.ended)
  if (ended.size > 0) {
    lease.slices = lease.slices.filter((one) => !ended.has(one))
    creditsFreed(lease.ownerId)
  }
  lease.row = { ...authenticated, remaining: Math.max(0, (authenticated.remaining ?? 0) - lease.uncounted) }
  const isHeld = reserved?.outcome === 'held' || reserved?.outcome === 'again'
  if (asked.slice && isHeld) {
    lease.slices.push(asked.slice)
    lease.maxCalls = Math.min(MAX_CALLS, lease.maxCalls + 1)
  }
  const isSame = authenticated.state === 'ok' && authenticated.grants_version === lease.version
  // A call that asks by itself finds out which budgets there are now.
  if (asked.slice && !isHeld && reserved?.outcome !== 'stale') lease.maxCalls = Math.floor(asked.slice.calls / 2)
  if (lease.maxCalls < MIN_CALLS) lease.isShort = true
  if (!isSame || lease.isShort) lease.isClosed = true
}

/**
 * Ends what this process has taken ahead for an owner, or for all. False where it has nothing.
 */
export async function endSlices(ownerId?: number): Promise<boolean> {
  const theirs = [...leases.values()].filter((lease) => ownerId === undefined || lease.ownerId === ownerId)
  await Promise.all(theirs.map(close))
  return theirs.length > 0
}

/** How many statements are waited for at most: one in progress, and those that end the slices. */
const CLOSING_ROUNDS = 4

async function close(lease: Lease): Promise<void> {
  lease.isClosed = true
  for (let round = 0; round < CLOSING_ROUNDS; round++) {
    if (!lease.renewing && lease.slices.length === 0 && lease.uncounted === 0) return
    await renew(lease, false)
  }
}

/**
 * Waits for an act that revokes a key, suspends an account or changes a limit, and then until no
 * process admits a call by what was known before it.
 */
export async function afterSlices<T>(act: Promise<T>): Promise<T> {
  const done = await act
  if (env().DURABLE_ANSWERS === 0) await sleep(sliceTiming.admitMs)
  return done
}
