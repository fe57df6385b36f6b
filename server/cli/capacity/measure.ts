import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { closeDb, hotPool } from '../../db'
import { env } from '../../env'
import { connectionName } from '../../kit/connections'
import { readProcessStat, TICK_US } from '../../kit/process-stat'
import { CliError } from '../kit/project'
import { makeCalls, makePayers } from './load'
import type { CallCost } from './plan'
import { withScratchSchema } from './scratch-schema'

/** What was measured, and how. */
export type Measured = CallCost & {
  /** Of PostgreSQL's processes on this machine, or the time in which it was active. */
  databaseCpuIs: 'cpu' | 'active time'
  calls: number
  seconds: number
  /** Calls a second that were tried: `calls / seconds` is less where this machine is too slow. */
  rate: number
  sharedBuffersMiB: number
  maxConnections: number
}

/** One web process has hardly more at half of a core; fewer say nothing of a call. */
const [MIN_RATE, MAX_RATE] = [20, 1_000]
/** Before it counts: connections, plans and compiled code are made once, tables have some pages. */
const WARM_UP = { rate: 1_000, seconds: 1.5 }
/** How long others alone are counted; PostgreSQL writes its counters at most once a second. */
const IDLE_MS = 1_500

const COUNTERS = `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS "walBytes",
    (pg_total_relation_size('receipt') + pg_total_relation_size('ledger'))::float8 AS "diskBytes",
    (SELECT active_time FROM pg_stat_database WHERE datname = current_database()) AS "activeMs",
    ARRAY(SELECT pid FROM pg_stat_activity WHERE application_name = ANY ($1)) AS pids`

const SERVER = `SELECT pg_size_bytes(current_setting('shared_buffers'))::float8 / 1048576 AS "sharedBuffersMiB",
    current_setting('max_connections')::int AS "maxConnections"`

type Counters = { walBytes: number; diskBytes: number; activeMs: number; pids: number[] }
type Server = Pick<Measured, 'sharedBuffersMiB' | 'maxConnections'>

/** The connections of this process that measure. */
const ours = (): string[] => [connectionName('hot')]

/** CPU time of PostgreSQL's processes, by pid; null where they are on another machine. */
function cpuOf(pids: readonly number[]): Map<number, number> | null {
  const stats = pids.map((pid) => ({ pid, stat: readProcessStat(pid) }))
  if (stats.some(({ stat }) => stat?.name !== 'postgres')) return null
  return new Map(stats.map(({ pid, stat }) => [pid, (stat?.ownTicks ?? 0) * TICK_US]))
}

async function readCounters(db: pg.Pool) {
  const [counters] = (await db.query<Counters>(COUNTERS, [ours()])).rows
  if (!counters) throw new CliError('PostgreSQL has no counters of this database.')
  const { user, system } = process.cpuUsage()
  return { ...counters, processUs: user + system, backendUs: cpuOf(counters.pids), at: performance.now() }
}

type Reading = Awaited<ReturnType<typeof readCounters>>

/** CPU that PostgreSQL used between two readings, or else the time in which it was active. */
function databaseUs(before: Reading, after: Reading): Pick<Measured, 'databaseCpuUs' | 'databaseCpuIs'> {
  const { backendUs: was } = before
  if (was === null || after.backendUs === null)
    return { databaseCpuUs: (after.activeMs - before.activeMs) * 1_000, databaseCpuIs: 'active time' }
  const used = [...after.backendUs].map(([pid, us]) => us - (was.get(pid) ?? 0))
  return { databaseCpuUs: used.reduce((sum, us) => sum + us, 0), databaseCpuIs: 'cpu' }
}

async function measureHere(rps: number, seconds: number): Promise<Measured> {
  const db = hotPool()
  const [server] = (await db.query<Server>(SERVER)).rows
  if (!server) throw new CliError('PostgreSQL has no settings.')
  const rate = Math.max(MIN_RATE, Math.min(rps, MAX_RATE))
  await makePayers(db)
  const empty = await readCounters(db)
  const warmUpCalls = await makeCalls(WARM_UP)
  const idle = await readCounters(db)
  await sleep(IDLE_MS)
  const before = await readCounters(db)
  const calls = await makeCalls({ rate, seconds })
  const took = performance.now() - before.at
  // Of a call that was made last, PostgreSQL has not written the counters yet.
  if (before.backendUs === null) await sleep(IDLE_MS)
  const after = await readCounters(db)
  const othersWal = ((before.walBytes - idle.walBytes) * (after.at - before.at)) / (before.at - idle.at)
  const { databaseCpuUs, databaseCpuIs } = databaseUs(before, after)
  return {
    ledgerCpuUs: (after.processUs - before.processUs) / calls,
    databaseCpuUs: databaseCpuUs / calls,
    databaseCpuIs,
    diskBytes: (after.diskBytes - empty.diskBytes) / (warmUpCalls + calls),
    walBytes: Math.max(0, after.walBytes - before.walBytes - othersWal) / calls,
    calls,
    seconds: took / 1_000,
    rate,
    ...server,
  }
}

/**
 * Measures what billed calls cost the ledger: the real statements, at the rate asked for, in a
 * schema that is dropped afterwards. This process's pools lead there until it has ended. Throws a
 * CliError.
 */
export async function measureCalls({ rps, seconds }: { rps: number; seconds: number }): Promise<Measured> {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = env()
  await closeDb()
  try {
    return await withScratchSchema(DATABASE_DIRECT_URL ?? DATABASE_URL, ours(), async (url) => {
      Object.assign(env(), { DATABASE_URL: url, DATABASE_DIRECT_URL: undefined })
      return await measureHere(rps, seconds).finally(closeDb)
    })
  } finally {
    Object.assign(env(), { DATABASE_URL, DATABASE_DIRECT_URL })
  }
}
