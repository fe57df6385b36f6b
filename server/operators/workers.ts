import { JobStatus } from '../agent/shape'
import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { type RowOf, statement } from '../kit/statement'
import { listLiveRuns } from './list-runs'
import { ProcessFacts } from './processes'
import type { ProcessView, WorkersView } from './state-views'

const MAX_PROCESSES = 100
const MAX_RUNS = 20

const PROCESSES = statement({
  name: 'operators_processes',
  sql: `SELECT p.id, p.lease_until - interval '45 seconds' AS "seenAt", p.lease_until > now() AS "isAlive", p.about,
      (SELECT count(*) FROM hold h WHERE h.holder_id = p.id)::int AS holds,
      (SELECT count(*) FROM job j WHERE j.status IN ('running', 'awaiting_input') AND j.status = 'running' AND j.holder_id = p.id)::int AS runs
    FROM holder p ORDER BY p.lease_until DESC LIMIT $1`,
  params: ['bigint'],
  columns: { id: 'uuid', seenAt: 'timestamptz', isAlive: 'boolean', about: 'jsonb?', holds: 'int', runs: 'int' },
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

// A process that ends in order says so when it begins to; one that says nothing at all makes a step
// of a run.
function stateOf(isAlive: boolean, about: ProcessFacts | null): ProcessView['state'] {
  if (isAlive) return about?.isLeaving ? 'leaving' : 'alive'
  return about && !about.isLeaving ? 'lost' : 'ended'
}

function viewProcess({ about, seenAt, isAlive, ...row }: RowOf<typeof PROCESSES>): ProcessView {
  const said = about === null ? null : ProcessFacts.parse(about)
  return {
    ...row,
    seenAt: seenAt.toISOString(),
    state: stateOf(isAlive, said),
    about: said && {
      kind: said.kind,
      host: said.host,
      pid: said.pid,
      version: said.version,
      startedAt: said.startedAt,
      unwritten: said.unwritten,
    },
  }
}

const STATES = ['lost', 'alive', 'leaving', 'ended'] as const

const placeOf = ({ state, about, id }: ProcessView): string =>
  [STATES.indexOf(state), about?.kind ?? 'z', about?.host, id].join(' ')

/** The processes that live, and those that did in the last hour: lost ones first. */
export async function readProcesses(options?: ReadOptions): Promise<Pick<WorkersView, 'processes' | 'versions'>> {
  const rows = await runRead(PROCESSES, [BigInt(MAX_PROCESSES)], options)
  const processes = rows.map(viewProcess).sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  const serving = processes.filter(({ state }) => state === 'alive')
  return { processes, versions: [...new Set(serving.flatMap(({ about }) => about?.version ?? []))].sort() }
}

/**
 * The processes that hold credits or claim runs, the queue of runs, runs by state (those that have
 * ended: of the last day) and the oldest that run or wait.
 */
export async function readWorkers(options?: ReadOptions): Promise<WorkersView> {
  const [{ processes, versions }, queue, counts, running, awaiting] = await Promise.all([
    readProcesses(options),
    runRead(QUEUE, [], options),
    runRead(COUNTS, [], options),
    listLiveRuns('running', MAX_RUNS, options),
    listLiveRuns('awaiting_input', MAX_RUNS, options),
  ])
  const runsOf = (status: JobStatus) => counts.find((row) => row.status === status)?.runs ?? 0
  return {
    processes,
    versions,
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
