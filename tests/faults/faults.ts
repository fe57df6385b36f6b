import { setTimeout as sleep } from 'node:timers/promises'
import { signalProcess } from '../support/process-table'
import type { Cluster } from './cluster'
import { freezeInTransaction } from './freeze-in-transaction'
import type { RestartableCommand } from './npm-process'
import type { LostTime } from './one-call'

/** What is expected of calls while a fault lasts. */
export type FaultKind = {
  name: string
  part: 'database' | 'web' | 'worker' | 'sandbox'
  /** True where a connection may close under a call: its process is killed. */
  mayCut: boolean
  /** True where a process finds the connections of its providers closed: it was frozen. */
  isFrozen?: boolean
  /** Where a backup was restored: when it was made, and when it served. */
  lost?: () => LostTime | null
}

/** Something that goes wrong with one part of what is tested. */
export type Fault<C = Cluster> = FaultKind & {
  /** Says why it cannot happen on this machine; null: it can. */
  unavailable: (cluster: C) => string | null
  /** Makes it happen; resolves when everything runs again. */
  happen: (cluster: C) => Promise<void>
}

/** How long each fault lasts, in milliseconds. */
export type FaultDurations = { restart: number; kill: number; frozen: number; diskFull: number }

/**
 * The outage after a restart is longer than the slow calls of the traffic, that after a kill longer
 * than a lease.
 */
const FULL: FaultDurations = { restart: 6_000, kill: 50_000, frozen: 30_000, diskFull: 15_000 }

const TERMINATIONS = 30
const KILLED_BACKENDS = 3

/** One client connection of the product, busy ones first. */
const BACKEND = `FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND backend_type = 'client backend' ORDER BY (state = 'active') DESC, random() LIMIT 1`

const database = (name: string, happen: Fault['happen']): Fault => ({
  name: `PostgreSQL ${name}`,
  part: 'database',
  mayCut: false,
  unavailable: () => null,
  happen,
})

const frozenDatabase = (seconds: number) =>
  database(`frozen ${seconds} s`, async (cluster) => {
    cluster.database.freeze()
    try {
      await sleep(seconds * 1_000)
    } finally {
      cluster.database.thaw()
    }
  })

const databaseFaults = ({ restart, kill, diskFull }: FaultDurations): Fault[] => [
  database('restarted', async (cluster) => {
    await cluster.database.stop()
    await sleep(restart)
    await cluster.database.start()
  }),
  database('killed', async (cluster) => {
    await cluster.database.kill()
    await sleep(kill)
    await cluster.database.start()
  }),
  frozenDatabase(5),
  frozenDatabase(60),
  {
    ...database('disk full', async (cluster) => {
      cluster.database.disk?.fill()
      try {
        await sleep(diskFull)
      } finally {
        cluster.database.disk?.free()
      }
      // Where its own log found no space either, the server has ended.
      await cluster.database.start()
    }),
    unavailable: ({ database: { disk } }) =>
      disk ? null : 'a small disk cannot be mounted here: it needs root on Linux',
  },
  database('connections terminated', async (cluster) => {
    for (let i = 0; i < TERMINATIONS; i++) {
      await cluster.database.query(`SELECT pg_terminate_backend(pid) ${BACKEND}`)
      await sleep(100)
    }
  }),
  database('backend killed', async (cluster) => {
    for (let i = 0; i < KILLED_BACKENDS; i++) {
      const [backend] = await cluster.database.query<{ pid: number }>(`SELECT pid ${BACKEND}`)
      if (backend) signalProcess(backend.pid, 'SIGKILL')
      await sleep(1_000)
      await cluster.database.start()
    }
  }),
]

type Part = Exclude<Fault['part'], 'database'>

/** What can happen to a Tollgate process. */
function processFaults(part: Part, of: (cluster: Cluster) => RestartableCommand, { frozen }: FaultDurations): Fault[] {
  const fault = (name: string, happen: (target: RestartableCommand, cluster: Cluster) => Promise<void>): Fault => ({
    name: `${part} ${name}`,
    part,
    mayCut: part === 'web' && name === 'killed',
    unavailable: () => null,
    happen: (cluster) => happen(of(cluster), cluster),
  })
  const endAndStart = (signal: NodeJS.Signals) => async (target: RestartableCommand) => {
    target.signal(signal)
    await target.ended()
    await target.start()
  }
  return [
    fault('killed', endAndStart('SIGKILL')),
    fault(`frozen ${frozen / 1_000} s`, async (target, cluster) => {
      try {
        await (part === 'sandbox' ? target.signal('SIGSTOP') : freezeInTransaction(cluster, target))
        await sleep(frozen)
      } finally {
        target.signal('SIGCONT')
      }
    }),
    fault('terminated', endAndStart('SIGTERM')),
  ]
}

/**
 * What was answered while the database was away must be charged although the process that knows it
 * is killed.
 */
const killedWithoutDatabase = ({ restart }: FaultDurations): Fault => ({
  name: 'web killed, PostgreSQL away',
  part: 'database',
  mayCut: true,
  unavailable: () => null,
  happen: async ({ database, web: [target] }) => {
    await database.stop()
    await sleep(restart)
    target.signal('SIGKILL')
    await target.ended()
    await database.start()
    await target.start()
  },
})

/** Every fault, in the order in which they happen. */
export const allFaults = (durations: FaultDurations = FULL): Fault[] => [
  ...databaseFaults(durations),
  ...processFaults('web', ({ web }) => web[0], durations),
  killedWithoutDatabase(durations),
  ...processFaults('worker', ({ worker }) => worker[0], durations),
  ...processFaults('sandbox', ({ sandbox }) => sandbox, durations),
]

/** A fault's name as it is given on the command line. */
export const faultSlug = ({ name }: Fault): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-s$/, '')
