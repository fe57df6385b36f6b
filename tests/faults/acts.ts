import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseProxy } from '../support/database-proxy'
import type { Cluster } from './cluster'
import type { RestartableCommand } from './npm-process'

/** What goes wrong with one part: it ends by itself after its time. */
export type PartAct = { name: string; kills?: boolean; happen: (lastsMs: number) => Promise<unknown> }
/** A part and what can happen to it; `target` is its process, which is started again at the end. */
export type Part = { name: string; acts: PartAct[]; isWeb?: boolean; target?: RestartableCommand }

/** The end of a task, as its process sends it to the database. */
const TASK_ENDS = 'UPDATE mcp_task t SET ended_at'
const TASK_ENDS_WITHIN_MS = 8_000
/** More than a lease, and than the gap after which a database was away. */
const CLOCK_STEP_S = 90

const during = (begin: () => unknown, end: () => unknown) => async (lastsMs: number) => {
  await begin()
  try {
    await sleep(lastsMs)
  } finally {
    await end()
  }
}

/** What can happen to a process and to its link to the database, which is nobody else's. */
function processActs(target: RestartableCommand, link: DatabaseProxy): PartAct[] {
  const ends = (name: string, signal: NodeJS.Signals, when?: () => Promise<unknown>): PartAct => ({
    name,
    kills: signal === 'SIGKILL',
    happen: async (lastsMs) => {
      await when?.()
      target.signal(signal)
      await target.ended()
      await sleep(lastsMs)
    },
  })
  return [
    { name: 'link cut', happen: during(link.cut, link.thaw) },
    { name: 'link silent', happen: during(link.freezeAll, link.thaw) },
    { name: 'answers lost', happen: during(link.loseAnswers, link.thaw) },
    {
      name: 'frozen',
      happen: during(
        () => target.signal('SIGSTOP'),
        () => target.signal('SIGCONT'),
      ),
    },
    ends('killed', 'SIGKILL'),
    ends('killed as it ends a task', 'SIGKILL', () => link.sent(TASK_ENDS, TASK_ENDS_WITHIN_MS)),
    ends('terminated', 'SIGTERM'),
  ]
}

const LOCK_ROW = (table: string, seconds: number) => `DO $$ BEGIN
  PERFORM 1 FROM ${table} ORDER BY random() LIMIT 1 FOR UPDATE; PERFORM pg_sleep(${seconds}); END $$`
const TERMINATE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
  AND pid <> pg_backend_pid() AND backend_type = 'client backend' ORDER BY random() LIMIT 3`

function databaseActs({ database }: Cluster): PartAct[] {
  const lock = (table: string): PartAct => ({
    name: `a row of ${table} locked`,
    happen: (lastsMs) => database.query(LOCK_ROW(table, lastsMs / 1_000)),
  })
  const away = (end: () => Promise<void>) => async (lastsMs: number) => {
    await end()
    await sleep(lastsMs)
    await database.start()
  }
  const step = (name: string, seconds: number): PartAct => ({
    name: `clock ${CLOCK_STEP_S} s ${name}${database.clock.canStep ? '' : ' (not without libfaketime)'}`,
    happen: during(
      () => database.clock.step(seconds),
      () => database.clock.step(0),
    ),
  })
  return [
    lock('account'),
    lock('"key"'),
    { name: 'connections terminated', happen: () => database.query(TERMINATE) },
    { name: 'frozen', happen: during(database.freeze, database.thaw) },
    { name: 'restarted', happen: away(database.stop) },
    { name: 'killed', happen: away(database.kill) },
    step('fast', CLOCK_STEP_S),
    step('slow', -CLOCK_STEP_S),
  ]
}

/** Every part of a cluster that faults can hit, each by itself. */
export const clusterParts = (cluster: Cluster): Part[] => [
  ...cluster.web.map((target, i) => ({
    name: `web ${i + 1}`,
    isWeb: true,
    target,
    acts: processActs(target, cluster.links.web[i] as DatabaseProxy),
  })),
  ...cluster.worker.map((target, i) => ({
    name: `worker ${i + 1}`,
    target,
    // Tasks end in web processes.
    acts: processActs(target, cluster.links.worker[i] as DatabaseProxy).filter(({ name }) => !name.includes('task')),
  })),
  { name: 'PostgreSQL', acts: databaseActs(cluster) },
]
