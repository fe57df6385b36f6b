import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster'
import type { NpmProcess } from './npm-process'

/** Something that goes wrong with one part of the cluster. */
export type Fault = {
  name: string
  part: 'database' | 'web' | 'worker' | 'sandbox'
  /** True where a connection may close under a call: its process is killed. */
  mayCut: boolean
  /** Says why it cannot happen on this machine; null: it can. */
  unavailable: (cluster: Cluster) => string | null
  /** Makes it happen; resolves when everything runs again. */
  happen: (cluster: Cluster) => Promise<void>
}

/** Longer than the slow calls of the traffic, so that some end while nothing is there. */
const DOWN_MS = 6_000
const DISK_FULL_MS = 15_000
const TERMINATIONS = 20

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

const DATABASE_FAULTS: Fault[] = [
  database('restarted', async (cluster) => {
    await cluster.database.stop()
    await sleep(DOWN_MS)
    await cluster.database.start()
  }),
  database('killed', async (cluster) => {
    await cluster.database.kill()
    await sleep(DOWN_MS)
    await cluster.database.start()
  }),
  frozenDatabase(5),
  frozenDatabase(60),
  {
    ...database('disk full', async (cluster) => {
      cluster.database.disk?.fill()
      try {
        await sleep(DISK_FULL_MS)
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
    const [backend] = await cluster.database.query<{ pid: number }>(`SELECT pid ${BACKEND}`)
    if (!backend) throw new Error('the product has no connection')
    process.kill(backend.pid, 'SIGKILL')
    await sleep(500)
    await cluster.database.start()
  }),
]

/** What can happen to one of our processes; seconds are those of the freeze. */
const processFaults = (part: Exclude<Fault['part'], 'database'>, of: (cluster: Cluster) => NpmProcess): Fault[] => {
  const fault = (name: string, happen: (target: NpmProcess) => Promise<void>, mayCut = false): Fault => ({
    name: `${part} ${name}`,
    part,
    mayCut,
    unavailable: () => null,
    happen: (cluster) => happen(of(cluster)),
  })
  return [
    fault(
      'killed',
      async (target) => {
        target.signal('SIGKILL')
        await target.ended()
        await target.start()
      },
      part === 'web',
    ),
    fault('frozen 30 s', async (target) => {
      target.signal('SIGSTOP')
      try {
        await sleep(30_000)
      } finally {
        target.signal('SIGCONT')
      }
    }),
    fault('terminated', async (target) => {
      target.signal('SIGTERM')
      await target.ended()
      await target.start()
    }),
  ]
}

/** Every fault, in the order in which they happen. */
export const FAULTS: readonly Fault[] = [
  ...DATABASE_FAULTS,
  ...processFaults('web', ({ web }) => web[0]),
  ...processFaults('worker', ({ worker }) => worker[0]),
  ...processFaults('sandbox', ({ sandbox }) => sandbox),
]

/** A fault's name as it is given on the command line. */
export const slugOf = ({ name }: Fault): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-s$/, '')
