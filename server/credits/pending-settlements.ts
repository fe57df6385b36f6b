import { runStatement } from '../db'
import { AppError } from '../errors'
import { log } from '../kit/log'
import { statement } from '../kit/statement'
import { withTimeout } from '../kit/with-timeout'
import type { JournalEntry } from './journal-entry'
import { writeSettlement } from './ledger-batch'
import { creditsRefunded, settlementsDead, settlementsWaiting } from './metrics'
import { recordSettlement, type SettlementRow, type SettleRequest, settleAlone } from './settlement'
import { appendToJournal, clearJournal, isInJournal, settledInJournal } from './settlement-journal'
import { nameSlice } from './sliced-calls'
import { countUnwritten, isUnwritten, whenWritten } from './unwritten'

/**
 * Why a settlement waits. `write`: the database did not take it. `undo`: its caller got an error
 * that says that nothing is charged, so a charge that was written after all is given back. `maybe`:
 * nobody knows whether there is such a hold, or will be: the statement that takes it may still be
 * running in a database that does not answer.
 */
type WaitingFor = 'write' | 'undo' | 'maybe'

type Waiting = {
  request: SettleRequest
  why: WaitingFor
  /** True where the journal of another process has it. */
  isReplayed: boolean
  attempts: number
  sinceMs: number
  nextMs: number
}

/** Settlements the database refused this often are put aside for an operator. */
const MAX_ATTEMPTS = 12
/** A hold that nobody knows of is looked for so long: longer than any statement may run. */
const MAYBE_MS = 150_000
const MAX_BATCH = 100
/** Holds that may not exist are a precaution: beyond so many, a lease that ends is enough. */
const MAX_MAYBE = 10_000
/** A journal in which nothing waits is removed after so long without another settlement. */
const IDLE_MS = 1_000

const state = {
  waiting: new Map<string, Waiting>(),
  timer: undefined as NodeJS.Timeout | undefined,
  running: undefined as Promise<void> | undefined,
  idle: undefined as NodeJS.Timeout | undefined,
}

/**
 * How many settlements of this process wait for the database; holds that may not exist are not
 * counted.
 */
export const countPendingSettlements = (): number =>
  [...state.waiting.values()].filter(({ why }) => why !== 'maybe').length

/** Whether a hold's settlement is known and waits for the database. */
export const isSettlementPending = (id: string): boolean => state.waiting.has(id) || isUnwritten(id)

/**
 * Keeps a settlement that could not be written, also over a crash, and tries it until its outcome
 * is known.
 */
export function settleLater(request: SettleRequest, why: WaitingFor = 'write'): void {
  if (state.waiting.has(request.id)) return
  nameSlice(request)
  if (why === 'maybe' && state.waiting.size >= MAX_MAYBE) return
  // After a crash, the lease's end voids what may exist.
  if (why !== 'maybe' && !isInJournal(request.id)) appendToJournal([{ request, why }])
  enqueue(request, why)
}

/** Tries a settlement that another process left in its journal, which keeps it until then. */
export function settleForAnother({ request, why }: JournalEntry): void {
  if (!state.waiting.has(request.id)) enqueue(request, why, true)
}

function enqueue(request: SettleRequest, why: WaitingFor, isReplayed = false): void {
  const now = performance.now()
  state.waiting.set(request.id, { request, why, isReplayed, attempts: 0, sinceMs: now, nextMs: now })
  changed()
  schedule()
}

/** Drops a settlement whose outcome became known another way. False where it did not wait. */
export function forgetPendingSettlement(id: string): boolean {
  const isKnown = state.waiting.delete(id)
  settledInJournal(id)
  if (isKnown) changed()
  return isKnown
}

function changed(): void {
  const count = countPendingSettlements()
  settlementsWaiting.set(count)
  if (count === 0) clearJournalLater()
}

/** Removes the journal in a while, if nothing in it waits then. */
export function clearJournalLater(): void {
  if (state.idle) return
  state.idle = setTimeout(() => {
    state.idle = undefined
    clearJournal()
  }, IDLE_MS)
  state.idle.unref()
}

function schedule(): void {
  const s = state
  if (s.timer || s.waiting.size === 0) return
  const nextMs = Math.min(...[...s.waiting.values()].map((w) => w.nextMs))
  s.timer = setTimeout(
    () => {
      s.timer = undefined
      void attempt().finally(schedule)
    },
    Math.max(250, nextMs - performance.now()),
  )
  s.timer.unref()
}

/**
 * Tries what is due, one run at a time; `all`: what waits now, which a run in progress may not
 * know.
 */
async function attempt(all = false): Promise<void> {
  const s = state
  while (all && s.running) await s.running
  s.running ??= tryDue(all).finally(() => {
    s.running = undefined
  })
  return s.running
}

async function tryDue(all: boolean): Promise<void> {
  const now = performance.now()
  const due = [...state.waiting.values()].filter((w) => all || w.nextMs <= now)
  while (due.length > 0) {
    const some = due.splice(0, MAX_BATCH)
    // They share batches with calls in progress, in which one owner's held lock keeps no other
    // waiting.
    const tried = await Promise.allSettled(some.map((one) => conclude(one, writeSettlement)))
    const failed = some.flatMap((one, i) => (tried[i]?.status === 'rejected' ? [{ one, error: tried[i].reason }] : []))
    const away = failed.filter(({ error }) => isAway(error)).map(({ one }) => one)
    if (away.length === some.length) return postpone([...away, ...due])
    if (away.length > 0) postpone(away)
    // One at a time: what the database refuses must not keep the others of its batch waiting.
    for (const { one, error } of failed)
      if (!isAway(error)) await conclude(one, settleAlone).catch((e: Error) => refused(one, e))
  }
}

const isAway = (error: unknown): boolean => error instanceof AppError && error.code === 'unavailable'

/**
 * The database is away, which says nothing about the settlements: they are not counted as tried.
 */
function postpone(some: Waiting[]): void {
  const nextMs = performance.now() + 1_000
  for (const one of some) one.nextMs = nextMs
  // What the disk did not take before is tried again.
  appendToJournal(some.flatMap((one) => (isOnlyInMemory(one) ? [{ request: one.request, why: one.why }] : [])))
  log.warn({ waiting: countPendingSettlements() }, 'settlements wait for the database')
}

const isOnlyInMemory = (one: Waiting): one is Waiting & { why: JournalEntry['why'] } =>
  one.why !== 'maybe' && !one.isReplayed && !isInJournal(one.request.id)

const REFUND = statement({
  name: 'credits_refund',
  sql: 'SELECT credits_refund($1, $2, $3)',
  params: ['uuid', 'text', 'text'],
  columns: { credits_refund: 'bigint' },
})

async function conclude(one: Waiting, write: (request: SettleRequest) => Promise<SettlementRow>): Promise<void> {
  const { request, why } = one
  const row = await write(request)
  if (why === 'maybe' && row.outcome === 'unknown' && performance.now() - one.sinceMs < MAYBE_MS) {
    one.nextMs = performance.now() + 15_000
    return
  }
  if (why === 'undo' && row.outcome === 'again' && row.charged !== '0') {
    const [refunded] = await runStatement(REFUND, [request.id, 'void', 'not delivered'])
    creditsRefunded.inc(Number(refunded?.credits_refund ?? 0))
  }
  if (why === 'write' && row.outcome === 'unknown' && request.actual > 0n) {
    return putAside(one, 'This database has no such call: it was restored, or lost what was written last.')
  }
  if (why !== 'maybe') recordSettlement(request, row)
  forgetPendingSettlement(request.id)
}

async function refused(one: Waiting, error: Error): Promise<void> {
  const { request } = one
  if (isAway(error)) return postpone([one])
  one.attempts++
  one.nextMs = performance.now() + Math.min(60_000, 500 * 2 ** one.attempts)
  log.error({ hold: request.id, attempts: one.attempts, err: error.message }, 'a settlement was refused')
  if (one.attempts < MAX_ATTEMPTS || one.why === 'maybe') {
    if (one.attempts >= MAX_ATTEMPTS) forgetPendingSettlement(request.id)
    return
  }
  try {
    await putAside(one, error.message)
  } catch (problem) {
    log.error({ hold: request.id, err: (problem as Error).message }, 'a refused settlement could not be put aside')
  }
}

const text = (_name: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)

const PUT_ASIDE = statement({
  name: 'settlement_dead',
  sql: `INSERT INTO settlement_dead (id, owner_id, request, error, attempts) VALUES ($1, $2, $3::jsonb, $4, $5)
    ON CONFLICT (id) DO NOTHING`,
  params: ['uuid', 'int', 'jsonb', 'text', 'int'],
})

/**
 * Puts a settlement into the table of dead letters, for an operator. Its hold stays, and then
 * `ledger verify` reports it.
 */
async function putAside({ request, attempts }: Waiting, error: string): Promise<void> {
  const json = JSON.stringify({ ...request, answer: undefined }, text)
  await runStatement(PUT_ASIDE, [request.id, request.ownerId, json, error, attempts])
  settlementsDead.inc()
  forgetPendingSettlement(request.id)
}

/**
 * Writes the settlements that wait, for up to `maxMs` milliseconds: what a clean shutdown waits
 * for. Returns how many still wait; the journal keeps those for the next start.
 */
export async function settlePending(maxMs = 0): Promise<number> {
  const deadline = performance.now() + maxMs
  do {
    await withTimeout(whenWritten(), Math.max(maxMs, 1_000))
    await attempt(true)
    clearJournal()
    if (countPendingSettlements() + countUnwritten() === 0) return 0
    await new Promise((resolve) => setTimeout(resolve, maxMs > 0 ? 250 : 0))
  } while (performance.now() < deadline)
  return countPendingSettlements() + countUnwritten()
}
