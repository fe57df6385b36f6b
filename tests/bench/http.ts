import { spawn } from 'node:child_process'
import path from 'node:path'
import autocannon from 'autocannon'
import { type Child, endAll, startChild } from '../../server/cli/children'
import { freePort } from '../../server/cli/ports'
import { ROOT } from '../../server/cli/project'
import { untilAnswers } from '../../server/cli/until-answers'
import { grant } from '../../server/credits/grant'
import { pool } from '../../server/db'
import { makeCaller } from '../support/make'
import { median, table, tenth, times, whole } from './table'

const CONNECTIONS = 32
const SECONDS = 5
const ROUNDS = 3

type Subject = { name: string; url: string; key?: string; body?: string }
type Measured = { perSecond: number; p50: number; p99: number }

async function measure({ url, key, body }: Subject, seconds: number): Promise<Measured> {
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    ...(body && { method: 'POST', body }),
    headers: { ...(key && { authorization: `Bearer ${key}` }), ...(body && { 'content-type': 'application/json' }) },
  })
  if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} answers were not 2xx, ${errors} failed`)
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99 }
}

/** A process of the bench that is not one of ours, ended by its id. */
function startOther(args: string[]): () => void {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: 'ignore',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  return () => void child.kill('SIGKILL')
}

/**
 * Requests a second and latencies (ms) of a billed `/query` through the production server, of a bare Next route handler
 * under `next start`, and of raw node:http, in turns, medians of the rounds. Answers a Markdown table.
 */
export async function benchHttp(): Promise<string> {
  const [webPort, sandboxPort, nextPort, rawPort] = [
    await freePort(3500),
    await freePort(4500),
    await freePort(3600),
    await freePort(3700),
  ]
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`
  const env = {
    ...process.env,
    PORT: String(webPort),
    SANDBOX_URL: sandboxUrl,
    PUBLIC_URL: `http://127.0.0.1:${webPort}`,
    LOG_LEVEL: 'info',
  }
  const { owner, key } = await makeCaller()
  await grant(owner.id, 1_000_000_000n)
  // Beyond what a key may be given: the limit must not be what is measured.
  await pool().query('UPDATE "key" SET rpm = 2000000000 WHERE id = $1', [key.id])
  const children: Child[] = [startChild('sandbox', env, 'bench-sandbox'), startChild('web', env, 'bench-web')]
  const others = [
    startOther([
      path.join('node_modules', 'next', 'dist', 'bin', 'next'),
      'start',
      '-p',
      String(nextPort),
      '-H',
      '127.0.0.1',
    ]),
    startOther([path.join('tests', 'bench', 'raw-server.mjs'), String(rawPort)]),
  ]
  const base = `http://127.0.0.1:${webPort}`
  const subjects: Subject[] = [
    { name: 'bare Next route handler (next start)', url: `http://127.0.0.1:${nextPort}/healthz` },
    {
      name: 'billed /query of a sandbox tool (npm start)',
      url: `${base}/api/v1/query`,
      key: key.key,
      body: JSON.stringify({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } }),
    },
    { name: '/healthz through our server (npm start)', url: `${base}/healthz` },
    { name: 'raw node:http', url: `http://127.0.0.1:${rawPort}/` },
  ]
  try {
    await untilAnswers(`${sandboxUrl}/healthz`)
    for (const ready of [`${base}/readyz`, subjects[0]?.url, subjects[3]?.url]) await untilAnswers(ready ?? '')
    const results = new Map<string, Measured[]>(subjects.map(({ name }) => [name, []]))
    for (const subject of subjects) await measure(subject, 2)
    for (let round = 0; round < ROUNDS; round++) {
      for (const subject of subjects) results.get(subject.name)?.push(await measure(subject, SECONDS))
    }
    return tableOf(results)
  } finally {
    for (const end of others) end()
    await endAll(
      children.map((child) => child.process),
      5_000,
    )
  }
}

function tableOf(results: ReadonlyMap<string, Measured[]>): string {
  const rows = [...results].map(([name, rounds]) => ({
    name,
    perSecond: median(rounds.map((r) => r.perSecond)),
    p50: median(rounds.map((r) => r.p50)),
    p99: median(rounds.map((r) => r.p99)),
  }))
  const base = rows[0]?.perSecond ?? Number.NaN
  return table(
    [`${CONNECTIONS} connections`, 'requests/s', 'p50 ms', 'p99 ms', 'against bare Next'],
    rows.map((r) => [r.name, whole(r.perSecond), tenth(r.p50), tenth(r.p99), times(r.perSecond / base)]),
  )
}
