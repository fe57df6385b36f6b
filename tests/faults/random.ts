import { setTimeout as sleep } from 'node:timers/promises'
import { type Draw, drawFrom } from '../../server/sandbox/kit/seed'
import type { DatabaseProxy } from '../support/database-proxy'
import type { Cluster } from './cluster'
import type { Fault } from './faults'
import type { RestartableCommand } from './npm-process'

/** Bounds of how long each kind lasts, milliseconds. */
export type RandomDurations = { min: number; max: number }

const SHORT: RandomDurations = { min: 300, max: 6_000 }
/** Longer than a lease, so that holds are swept while their process is alone. */
const LONG: RandomDurations = { min: 46_000, max: 65_000 }
/** Of the rounds whose faults are long: most faults need no minute to be met. */
const LONG_SHARE = 0.08
/** The latest that a fault begins after the first one, milliseconds. */
const MAX_DELAY_MS = 3_000
const MAX_AT_ONCE = 3

/** What goes wrong with one part: it ends by itself after its time. */
type Act = { name: string; happen: (lastsMs: number) => Promise<unknown> }
type Part = { name: string; acts: Act[]; isWeb?: boolean; target?: RestartableCommand }

const during = (begin: () => unknown, end: () => unknown) => async (lastsMs: number) => {
  begin()
  try {
    await sleep(lastsMs)
  } finally {
    end()
  }
}

/** What can happen to a process and to its link to the database, which is nobody else's. */
function processActs(target: RestartableCommand, link: DatabaseProxy): Act[] {
  const ends = (signal: NodeJS.Signals) => async (lastsMs: number) => {
    target.signal(signal)
    await target.ended()
    await sleep(lastsMs)
  }
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
    { name: 'killed', happen: ends('SIGKILL') },
    { name: 'terminated', happen: ends('SIGTERM') },
  ]
}

const LOCK_ROW = (table: string, seconds: number) => `DO $$ BEGIN
  PERFORM 1 FROM ${table} ORDER BY random() LIMIT 1 FOR UPDATE; PERFORM pg_sleep(${seconds}); END $$`
const TERMINATE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
  AND pid <> pg_backend_pid() AND backend_type = 'client backend' ORDER BY random() LIMIT 3`

function databaseActs({ database }: Cluster): Act[] {
  const lock = (table: string): Act => ({
    name: `a row of ${table} locked`,
    happen: (lastsMs) => database.query(LOCK_ROW(table, lastsMs / 1_000)),
  })
  const away = (end: () => Promise<void>) => async (lastsMs: number) => {
    await end()
    await sleep(lastsMs)
    await database.start()
  }
  return [
    lock('account'),
    lock('"key"'),
    { name: 'connections terminated', happen: () => database.query(TERMINATE) },
    { name: 'frozen', happen: during(database.freeze, database.thaw) },
    { name: 'restarted', happen: away(database.stop) },
    { name: 'killed', happen: away(database.kill) },
  ]
}

const partsOf = (cluster: Cluster): Part[] => [
  ...cluster.web.map((target, i) => ({
    name: `web ${i + 1}`,
    isWeb: true,
    target,
    acts: processActs(target, cluster.links.web[i] as DatabaseProxy),
  })),
  ...cluster.worker.map((target, i) => ({
    name: `worker ${i + 1}`,
    target,
    acts: processActs(target, cluster.links.worker[i] as DatabaseProxy),
  })),
  { name: 'PostgreSQL', acts: databaseActs(cluster) },
]

type Drawn = { part: Part; act: Act; afterMs: number; lastsMs: number }

/** What a seed says: one to three parts, and what happens to each, when and how long. */
function drawActs(draw: Draw, parts: readonly Part[], durations?: RandomDurations): Drawn[] {
  const { min, max } = durations ?? (draw.chance('is long') < LONG_SHARE ? LONG : SHORT)
  const many = draw.int('how many', 1, MAX_AT_ONCE)
  return draw
    .shuffle('parts', parts)
    .slice(0, many)
    .map((part, i) => ({
      part,
      act: draw.pick(`act ${i}`, part.acts),
      afterMs: i === 0 ? 0 : draw.int(`after ${i}`, 0, MAX_DELAY_MS),
      // Short ones are as likely as long ones.
      lastsMs: Math.round(min * (max / min) ** draw.chance(`lasts ${i}`)),
    }))
}

const describe = ({ part, act, afterMs, lastsMs }: Drawn): string =>
  `${part.name} ${act.name} ${(lastsMs / 1_000).toFixed(1)} s${afterMs > 0 ? ` from ${(afterMs / 1_000).toFixed(1)} s` : ''}`

/**
 * Faults drawn from a seed, which always draws the same: some at once, each in one process, on its
 * way to the database, or in the database.
 */
export function randomFault(seed: number, cluster: Cluster, durations?: RandomDurations): Fault {
  const drawn = drawActs(drawFrom(`faults ${seed}`), partsOf(cluster), durations)
  return {
    name: `seed ${seed}: ${drawn.map(describe).join(', ')}`,
    // Of what several parts suffer at once nobody is left alone.
    part: 'database',
    mayCut: drawn.some(({ part, act }) => part.isWeb && act.name === 'killed'),
    unavailable: () => null,
    happen: async () => {
      await Promise.all(
        drawn.map(async ({ act, afterMs, lastsMs }) => {
          await sleep(afterMs)
          await act.happen(lastsMs)
        }),
      )
      // Last, as one that finds no database does not start.
      const ended = drawn.filter(({ act }) => act.name === 'killed' || act.name === 'terminated')
      await Promise.all(ended.map(({ part }) => part.target?.start()))
    },
  }
}
