import { JobStatus } from '../agent/shape'
import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statement } from '../kit/statement'
import { listLiveRuns } from './list-runs'
import type { WorkersView } from './state-views'

const MAX_PROCESSES = 100
const MAX_RUNS = 20

const PROCESSES = statement({
  name: 'operators_processes',
  sql: `SELECT p.id, p.lease_until AS "leaseUntil", p.lease_until > now() AS "isAlive",
      (SELECT count(*) FROM hold h WHERE h.holder_id = p.id)::int AS holds,
      (SELECT count(*) FROM job j WHERE j.status IN ('running', 'awaiting_input') AND j.status = 'running' AND j.holder_id = p.id)::int AS runs
    FROM holder p ORDER BY p.lease_until DESC LIMIT $1`,
  params: ['bigint'],
  columns: { id: 'uuid', leaseUntil: 'timestamptz', isAlive: 'boolean', holds: 'int', runs: 'int' },
})

const QUEUE = statement({
  name: 'operators_queue',
  sql: `SELECT (count(*) FILTER (WHERE m.state < 'active'))::int AS waiting, (count(*) FILTER (WHERE m.state = 'active'))::int AS active,
      min(m.start_after) FILTER (WHERE m.state < 'active' AND m.start_after <= now()) AS "oldest"
    FROM pgboss.job m WHERE m.name = 'agent-runs' AND m.state < 'completed'`,
  params: [],
  columns: { waiting: 'int', active: 'int', oldest: 'timestamptz?' },
})

const COUNTS = statement({
  name: 'operators_run_counts',
  sql: `SELECT j.status, count(*)::int AS runs FROM job j WHERE j.status IN ('running', 'awaiting_input') GROUP BY j.status
    UNION ALL SELECT t.status, count(*)::int FROM turn t WHERE t.ended_at > now() - interval '1 day'
      AND t.status IN ('completed', 'failed', 'cancelled') GROUP BY t.status`,
  params: [],
  columns: { status: JobStatus.options, runs: 'int' },
})

/**
 * The processes that hold credits or claim runs, the queue of runs, runs by state (those that have
 * ended: of the last day) and the oldest that run or wait.
 */
export async function readWorkers(options?: ReadOptions): Promise<WorkersView> {
  const [processes, queue, counts, running, awaiting] = await Promise.all([
    runRead(PROCESSES, [BigInt(MAX_PROCESSES)], options),
    runRead(QUEUE, [], options),
    runRead(COUNTS, [], options),
    listLiveRuns('running', MAX_RUNS, options),
    listLiveRuns('awaiting_input', MAX_RUNS, options),
  ])
  const runsOf = (status: JobStatus) => counts.find((row) => row.status === status)?.runs ?? 0
  return {
    processes: processes.map(({ leaseUntil, ...row }) => ({ ...row, leaseUntil: leaseUntil.toISOString() })),
    queue: {
      waiting: queue[0]?.waiting ?? 0,
      active: queue[0]?.active ?? 0,
      oldest: queue[0]?.oldest?.toISOString() ?? null,
    },
    counts: JobStatus.options.map((status) => ({ status, runs: runsOf(status) })),
    running,
    awaiting,
  }
}
