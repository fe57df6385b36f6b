import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startJob } from '../../server/agent/jobs/start'
import { closeQueue } from '../../server/agent/queue/connection'
import { endProcesses, startChildProcess } from '../../server/cli/children'
import { findFreePort } from '../../server/cli/kit/ports'
import { waitUntilServerReady } from '../../server/cli/wait-until-ready'
import { grantCredits } from '../../server/credits/grant'
import { reserveCredits } from '../../server/credits/reserve'
import { mainPool } from '../../server/db'
import { env } from '../../server/env'
import { readCallerGrants } from '../../server/keys/grants'
import { uuidv7 } from '../../server/kit/id'
import { makeCaller } from '../support/owners'
import { settleById } from '../support/settle'
import { benchSteps, type Starter, untilOver } from './agent-steps'
import { formatResults, measureAll } from './measure'
import { formatTenth, formatWhole, markdownTable, quantile } from './table'

const STARTS = 60
const HISTORY = { jobs: 1_000, steps: 200 }

const script = (given: object) => `Go. [[sandbox ${JSON.stringify(given)}]]`
const start = (starter: Starter, given: object) =>
  startJob(starter, { goal: script(given), idempotencyKey: randomUUID(), mode: 'autonomous', wait: false })

const statusOf = async (jobId: string): Promise<string> =>
  (await mainPool().query('SELECT status FROM job WHERE id = $1', [jobId])).rows[0].status

/**
 * Milliseconds from a committed start to the beginning of the run's first step, one run after
 * another.
 */
async function latencies(starter: Starter): Promise<number[]> {
  const found: number[] = []
  for (let i = 0; i < STARTS; i++) {
    const { job } = await start(starter, { text: 'Done.' })
    const at = Date.now()
    while ((await statusOf(job.jobId)) === 'running') await sleep(5)
    const { rows } = await mainPool().query('SELECT started_at FROM step WHERE job_id = $1 AND index = 0', [job.jobId])
    found.push(Math.max(0, rows[0].started_at.getTime() - at))
  }
  return found.sort((a, b) => a - b)
}

/**
 * Pairs of reserve and settle a second, one after another in each of 16 callers: what a step costs
 * at least.
 */
async function pairsPerSecond({ ownerId, keyId }: Starter): Promise<number> {
  const until = performance.now() + 3_000
  let pairs = 0
  const caller = async () => {
    while (performance.now() < until) {
      const id = uuidv7()
      await reserveCredits({ id, ownerId, keyId, maxCredits: 5n, channel: 'agent', product: 'agent', what: 'bench' })
      await settleById({ id, actual: 1n, status: 'ok' })
      pairs++
    }
  }
  await Promise.all(Array.from({ length: 16 }, caller))
  return pairs / 3
}

/** Resident memory of a process, MiB. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Fills the tables with finished jobs and their steps, as months of use would. */
async function fillHistory({ ownerId, keyId }: Starter): Promise<void> {
  await mainPool().query(
    `WITH made AS (
      INSERT INTO job (id, owner_id, title, status, run_id, result)
        SELECT gen_random_uuid(), $1, 'History', 'completed', gen_random_uuid(), 'Done.' FROM generate_series(1, $3) RETURNING id, run_id
    ), turns AS (
      INSERT INTO turn (run_id, job_id, owner_id, number, key_id, idempotency_key, goal, mode, model, agent, capabilities, cap_credits, origin, status)
        SELECT run_id, id, $1, 1, $2, run_id::text, 'x', 'autonomous', 'x/y', 'general', '{}', 5000, 'api', 'completed' FROM made
    )
    INSERT INTO step (job_id, index, run_id, kind, name, charged, input, output, started_at)
      SELECT id, n, run_id, 'tool', 'web_search', 1, '{"query": "x"}', '{"rows": []}', now() FROM made, generate_series(1, $4) n`,
    [ownerId, keyId, HISTORY.jobs, HISTORY.steps],
  )
  await mainPool().query('ANALYZE job, turn, step')
}

/**
 * Agent runs on a real worker process: durable steps a second, from start to first step, what a
 * poll costs beside much history, and how much memory a worker takes. Returns Markdown tables.
 */
export async function benchAgent(): Promise<string> {
  const webPort = await findFreePort(3_600)
  const urls = { web: `http://127.0.0.1:${webPort}`, sandbox: env().SANDBOX_URL }
  const { owner, key } = await makeCaller(0, { agent: true, agentRunBudgetCredits: 1_000_000_000 })
  await grantCredits(owner.id, 1_000_000_000n)
  await mainPool().query('UPDATE "key" SET rpm = 2000000000 WHERE id = $1', [key.id])
  const starter: Starter = { ownerId: owner.id, keyId: key.id, grants: await readCallerGrants(key.id) }
  const given = { ...process.env, PORT: String(webPort), PUBLIC_URL: urls.web, LOG_LEVEL: 'info' }
  const sandbox = startChildProcess('sandbox', given, { logName: 'bench-sandbox' })
  const web = startChildProcess('web', given, { logName: 'bench-web' })
  const worker = startChildProcess('worker', given, { logName: 'bench-worker' })
  try {
    for (const ready of [`${urls.sandbox}/healthz`, `${urls.web}/readyz`]) await waitUntilServerReady(ready)
    await untilOver([(await start(starter, { text: 'Warm.' })).job.jobId])
    const waits = await latencies(starter)
    const steps = await benchSteps(starter, worker.process.pid)
    const pairs = await pairsPerSecond(starter)
    const busy = await Promise.all(Array.from({ length: 16 }, () => start(starter, { delayMs: 4_000, text: 'Done.' })))
    await sleep(1_500)
    const memory = memoryOf(worker.process.pid)
    await untilOver(busy.map(({ job }) => job.jobId))
    const poll = { pid: web.process.pid, url: `${urls.web}${busy[0]?.job.poll}`, key: key.key }
    const before = await measureAll([{ name: 'GET /agent/{jobId}, little history', ...poll }])
    await fillHistory(starter)
    const beside = `${formatWhole(HISTORY.jobs)} jobs and ${formatWhole(HISTORY.jobs * HISTORY.steps)} steps more`
    const after = await measureAll([{ name: `the same beside ${beside}`, ...poll }])
    const rows = [
      ['from start to the first step, p50', `${formatTenth(quantile(waits, 0.5))} ms`],
      ['from start to the first step, p99', `${formatTenth(quantile(waits, 0.99))} ms`],
      ['reserve + settle pairs a second, 16 callers', formatWhole(pairs)],
      ['memory of a worker with 16 runs in progress', `${formatWhole(memory)} MiB`],
    ]
    const polls = formatResults([...before, ...after], 'little history')
    return [steps, markdownTable(['one worker process', ''], rows), polls].join('\n\n')
  } finally {
    await endProcesses([sandbox.process, web.process, worker.process], 5_000)
    await closeQueue()
  }
}
