import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../server/cli/kit/ports'
import { mainPool } from '../../server/db'
import { bulkQuery } from '../support/bulk-query'
import { startCpuMeter } from './cpu'
import { type EventStream, openEventStream } from './event-stream'
import { type InspectedProcess, inspectProcess } from './inspect'
import { startGateway } from './measure'
import { formatTenth, formatWhole, markdownTable, quantile } from './table'

const STREAMS = 5_000
const IDLE_SECONDS = 10
/** How many are opened at once. */
const OPENERS = 50

/** Runs that nobody works on, as far as the database knows: their watchers wait. */
const makeJobs = async (ownerId: number, keyId: number, count: number): Promise<string[]> => {
  const rows = await bulkQuery<{ id: string }>(
    `WITH made AS (
       INSERT INTO job (id, owner_id, title, status, run_id, key_id, mode)
         SELECT gen_random_uuid(), $1, 'Idle', 'running', gen_random_uuid(), $2, 'autonomous'
         FROM generate_series(1, $3::int) RETURNING id, run_id
     ), turns AS (
       INSERT INTO turn (run_id, job_id, owner_id, number, key_id, idempotency_key, goal, mode, model, agent, capabilities,
           cap_credits, origin, status)
         SELECT run_id, id, $1, 1, $2, run_id::text, 'x', 'autonomous', 'x/y', 'general', '{}', 5000, 'api', 'running' FROM made
     )
     SELECT id FROM made`,
    [ownerId, keyId, count],
  )
  await bulkQuery('ANALYZE job', [])
  return rows.map(({ id }) => id)
}

/** Something happens in every run at once. */
const endAll = (ownerId: number) =>
  bulkQuery(`UPDATE job SET status = 'cancelled', updated_at = now() WHERE owner_id = $1`, [ownerId])

async function countConnections(pid: number): Promise<number> {
  const { rows } = await mainPool().query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name LIKE $1`,
    [`tollgate web ${pid} %`],
  )
  return rows[0]?.n ?? 0
}

async function openAll(paths: readonly string[], open: (path: string) => Promise<EventStream>): Promise<EventStream[]> {
  const opened: EventStream[] = []
  const waiting = [...paths]
  const opener = async () => {
    for (let path = waiting.pop(); path; path = waiting.pop()) opened.push(await open(path))
  }
  await Promise.all(Array.from({ length: OPENERS }, opener))
  return opened
}

type Idle = { rss: number; heapUsed: number; connections: number; webShare: number; databaseShare: number }

/** What a process takes while nothing happens; CPU time as shares of one core, in percent. */
async function measureIdle(pid: number, inspected: InspectedProcess): Promise<Idle> {
  await inspected.sample(true)
  const cpu = await startCpuMeter(pid)
  await sleep(IDLE_SECONDS * 1_000)
  // A call is a second: microseconds of each second.
  const { serverCpuUs, databaseCpuUs } = cpu(IDLE_SECONDS)
  const { rss, heapUsed } = await inspected.sample(true)
  const connections = await countConnections(pid)
  return { rss, heapUsed, connections, webShare: serverCpuUs / 10_000, databaseShare: databaseCpuUs / 10_000 }
}

const formatMiB = (bytes: number) => `${formatWhole(bytes / 2 ** 20)} MiB`

/**
 * 5,000 open event streams of as many runs in which nothing happens: what each takes of the web
 * process, what all take of the database, and how soon they have an event that reaches all of them
 * at once. Returns Markdown tables.
 */
export async function benchWatchers(): Promise<string> {
  const port = await findFreePort(9_230)
  const gateway = await startGateway(1, { NODE_OPTIONS: `--inspect-port=${port}` })
  const { url, pid, key, ownerId, keyId } = gateway
  const streams: EventStream[] = []
  try {
    const inspected = await inspectProcess(pid, port)
    const jobs = await makeJobs(ownerId, keyId, STREAMS)
    const pathOf = (jobId: string) => `/api/v1/agent/${jobId}/events`
    // What only the first streams of a process make stays out of the figure.
    const first = await openAll(jobs.slice(0, 200).map(pathOf), (path) => openEventStream(url, path, key))
    for (const stream of first) stream.close()
    await sleep(1_000)
    const before = await measureIdle(pid, inspected)
    streams.push(...(await openAll(jobs.map(pathOf), (path) => openEventStream(url, path, key))))
    const beside = await measureIdle(pid, inspected)
    const arrivals = streams.map((stream) => stream.nextEvent())
    await endAll(ownerId)
    const began = performance.now()
    const took = (await Promise.all(arrivals)).map((at) => at - began).sort((a, b) => a - b)
    inspected.close()
    const perStream = (figure: 'rss' | 'heapUsed') =>
      `${formatTenth((beside[figure] - before[figure]) / 1024 / STREAMS)} KiB`
    const row = (name: string, idle: Idle) => [
      name,
      formatMiB(idle.rss),
      formatMiB(idle.heapUsed),
      `${idle.connections}`,
      `${formatTenth(idle.webShare)} %`,
      `${formatTenth(idle.databaseShare)} %`,
    ]
    return [
      markdownTable(
        [
          'the web process',
          'RSS',
          'heap',
          'connections to PostgreSQL',
          'its CPU, of a core',
          'PostgreSQL CPU, of a core',
        ],
        [row('no stream', before), row(`${formatWhole(STREAMS)} idle event streams`, beside)],
      ),
      markdownTable(
        ['', ''],
        [
          ['memory of a stream, RSS', perStream('rss')],
          ['memory of a stream, heap', perStream('heapUsed')],
          ['an event of all runs at once arrives after, p50', `${formatWhole(quantile(took, 0.5))} ms`],
          ['p99', `${formatWhole(quantile(took, 0.99))} ms`],
          ['at the last', `${formatWhole(took.at(-1) ?? Number.NaN)} ms`],
        ],
      ),
    ].join('\n\n')
  } finally {
    for (const stream of streams) stream.close()
    await gateway.stop()
  }
}
