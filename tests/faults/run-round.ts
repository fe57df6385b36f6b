import { setTimeout as sleep } from 'node:timers/promises'
import type { QueryResultRow } from 'pg'
import { createBudget } from '../../server/credits/budgets/change'
import type { BudgetInput } from '../../server/credits/budgets/shape'
import { inTransaction } from '../../server/db'
import { makeCaller } from '../support/owners'
import { type AuditCell, auditCell } from './audit'
import { startBalancer } from './balancer'
import type { ClientCall } from './call'
import { CHANNELS } from './channels/all'
import type { ClientRecord, FaultChannel } from './channels/define'
import type { Fault, FaultKind } from './faults'
import { countHolds, readLedgerState, verifyClusterLedger } from './ledger-state'
import { keepReadingPage, type ServiceLevel, serviceLevelOf } from './unrelated-owner'

/** What a round sends its traffic to. */
export type TestedService = {
  /** Base URLs that take calls: of web processes, or of a load balancer. */
  urls: readonly string[]
  /** A page outside the product that `web_read_url` may read. */
  pageUrl: string
  /** The environment of every process, for commands of the operator. */
  env: Record<string, string>
  database: { query: <R extends QueryResultRow>(sql: string, values?: unknown[]) => Promise<R[]> }
  /** Opens an account with credits and a key; absent: the modules of this checkout do. */
  openAccount?: () => Promise<Account>
  /** `ledger verify`: what it found, or null; by this checkout's where it is absent. */
  verify?: () => Promise<string | null>
}

/** Whose traffic a round sends. */
export type Account = { ownerId: number; key: string }

/** One fault, on every channel. */
export type Round = {
  fault: FaultKind
  /** Why the fault could not happen on this machine. */
  skipped: string | null
  cells: AuditCell[]
  unrelated: ServiceLevel
  /** Seconds from the fault's end until the last hold was gone; null when some are left. */
  holdsGoneAfterS: number | null
  verify: string | null
  problems: string[]
  /** How long the round took, seconds. */
  tookS: number
}

const WARM_WITHIN_MS = 60_000
const SERVED_AGAIN_WITHIN_MS = 60_000
const HOLDS_GONE_WITHIN_MS = 90_000
/** The bound for an owner whom a fault does not concern: generous, as tests share their machine. */
const UNRELATED_MAX_MS = 15_000

type Options = {
  /**
   * Is called when the last answer is in: lets the leases of killed processes run out at once, for
   * those in a hurry.
   */
  afterTraffic?: () => Promise<unknown>
  /** The bound for an owner whom the fault does not concern. */
  maxUnrelatedMs?: number
  /** How long what was answered while a process was alone may wait to be written, milliseconds. */
  settledWithinMs?: number
}

type Guest = { channel: FaultChannel; ownerId: number; seen: ClientRecord; done: Promise<void> }

const CREDITS = 10_000_000
const GRANTS = { llm: true, agent: true, agentRunBudgetCredits: 1_000_000, rpm: 100_000 }

/** Limits that its calls meet besides, none near its end. */
const BUDGETS = [
  { name: 'all', credits: CREDITS, window: 'lifetime', scope: {} },
  { name: 'a day', credits: CREDITS, window: 'day', scope: { products: ['tool', 'agent'] } },
  { name: 'models', credits: CREDITS, window: 'month', scope: { products: ['chat', 'agent'] } },
] satisfies BudgetInput[]

const ATTEMPTS = 5

/** An account: on a machine that has just had a fault, tried again. */
async function openAccount(attempt = 1): Promise<Account> {
  try {
    const { owner, key } = await makeCaller(CREDITS, GRANTS)
    for (const budget of BUDGETS) await inTransaction((tx) => createBudget(tx, owner.id, budget))
    return { ownerId: owner.id, key: key.key }
  } catch (error) {
    if (attempt === ATTEMPTS) throw error
    await sleep(3_000)
    return openAccount(attempt + 1)
  }
}

/**
 * Sends every channel's traffic, lets a fault happen in the middle of it, and compares what was
 * seen with the books.
 */
export async function runRound<C extends TestedService>(
  cluster: C,
  fault: Fault<C>,
  { afterTraffic, maxUnrelatedMs = UNRELATED_MAX_MS, settledWithinMs = 0 }: Options = {},
): Promise<Round> {
  const skipped = fault.unavailable(cluster)
  if (skipped) {
    return {
      fault,
      skipped,
      cells: [],
      unrelated: serviceLevelOf([]),
      holdsGoneAfterS: 0,
      verify: null,
      problems: [],
      tookS: 0,
    }
  }
  const startedAt = Date.now()
  let isOver = false
  const webs = cluster.urls
  const balancer = startBalancer(webs)
  const { isDraining } = balancer
  const open = cluster.openAccount ?? openAccount
  const guests = await Promise.all(
    CHANNELS.map(async (channel): Promise<Guest> => {
      const { ownerId, key } = await open()
      const seen: ClientRecord = { calls: [], unbilled: [], runs: [], unknown: [], problems: [] }
      const done = channel.send({ webs, key, isDraining, isOver: () => isOver }, seen)
      return { channel, ownerId, seen, done }
    }),
  )
  const stranger = await open()
  const reads: ClientCall[] = []
  const reader = { web: webs.at(-1) ?? '', key: stranger.key, pageUrl: cluster.pageUrl }
  const reading = keepReadingPage(reader, reads, () => isOver)

  await until(() => guests.every(hasBegun) && reads.length > 8, WARM_WITHIN_MS)
  const beganAt = Date.now()
  await fault.happen(cluster)
  const recoveredAt = Date.now()
  await until(() => guests.every((guest) => hasServed(guest, recoveredAt)), SERVED_AGAIN_WITHIN_MS)
  const unrelated = serviceLevelOf(reads.filter(({ startedAt, ms }) => startedAt + ms >= beganAt))
  isOver = true
  await Promise.all([reading, ...guests.map(({ done }) => done)])
  await balancer.stop()

  await afterTraffic?.()
  const owners = [stranger.ownerId, ...guests.map(({ ownerId }) => ownerId)]
  const holdsGoneAfterS = await untilNoHolds(cluster, owners, recoveredAt)
  await Promise.all(guests.map(({ seen }) => learnOutcomes(seen)))
  const audit = (): Promise<AuditCell[]> =>
    Promise.all(
      guests.map(async ({ channel, ownerId, seen }) => {
        const books = await readLedgerState(cluster, ownerId)
        return auditCell({ fault, channel, seen, books, beganAt, recoveredAt })
      }),
    )
  let cells = await audit()
  for (const end = Date.now() + settledWithinMs; cells.some(hasProblem) && Date.now() < end; cells = await audit())
    await sleep(1_000)
  const verify = await (cluster.verify ?? (() => verifyClusterLedger(cluster)))()
  const problems = [
    ...(verify ? [`ledger verify: ${verify.slice(0, 500)}`] : []),
    ...(holdsGoneAfterS === null ? ['holds are left 90 s after the fault'] : []),
    ...(fault.part === 'database' ? [] : unrelatedProblems(unrelated, maxUnrelatedMs)),
  ]
  const tookS = (Date.now() - startedAt) / 1_000
  return { fault, skipped: null, cells, unrelated, holdsGoneAfterS, verify, problems, tookS }
}

/** What clients did not know yet: they ask until they do. */
async function learnOutcomes({ unknown, calls, problems }: ClientRecord): Promise<void> {
  for (const learned of await Promise.allSettled(unknown.map((ask) => ask()))) {
    if (learned.status === 'fulfilled') calls.push(...learned.value)
    else problems.push((learned.reason as Error).message)
  }
}

const hasProblem = ({ problems }: AuditCell): boolean => problems.length > 0

/** True when a channel has traffic in progress that works. */
const hasBegun = ({ channel, seen }: Guest): boolean =>
  seen.calls.some(({ isDelivered }) => isDelivered) &&
  (!channel.hasRuns || seen.unbilled.some(({ isDelivered }) => isDelivered))

/**
 * True when a channel delivered a call that began, and where it has runs completed one, after a
 * time.
 */
const hasServed = ({ channel, seen }: Guest, since: number): boolean =>
  seen.calls.some(({ isDelivered, startedAt }) => isDelivered && startedAt >= since) &&
  (!channel.hasRuns || seen.runs.some(({ finishedAt }) => finishedAt >= since))

function unrelatedProblems({ calls, served, max, errors }: ServiceLevel, maxMs: number): string[] {
  return [
    ...(served === calls ? [] : [`an unrelated owner was refused ${calls - served} of ${calls} calls: ${errors[0]}`]),
    ...(max <= maxMs ? [] : [`an unrelated owner waited ${max} ms`]),
  ]
}

/** Waits for a condition with a timeout; the audit finds what did not happen. */
async function until(isTrue: () => boolean, withinMs: number): Promise<void> {
  for (const end = Date.now() + withinMs; !isTrue() && Date.now() < end; ) await sleep(50)
}

async function untilNoHolds(cluster: TestedService, owners: readonly number[], since: number): Promise<number | null> {
  // Calls that took long may end after the 90 s: their holds get a moment.
  const end = Math.max(since + HOLDS_GONE_WITHIN_MS, Date.now() + 2_000)
  for (;;) {
    if ((await countHolds(cluster, owners)) === 0) return (Date.now() - since) / 1_000
    if (Date.now() > end) return null
    await sleep(250)
  }
}
