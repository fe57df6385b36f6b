import autocannon from 'autocannon'
import { type ChildProcessEntry, endProcesses, startChildProcess } from '../../server/cli/children'
import { findFreePort } from '../../server/cli/ports'
import { waitUntilServerReady } from '../../server/cli/wait-until-ready'
import { grantCredits } from '../../server/credits/grant'
import { mainPool } from '../../server/db'
import { makeCaller } from '../support/owners'
import { formatTenth, formatTimes, formatWhole, markdownTable, median } from './table'

export const CONNECTIONS = 32
const SECONDS = 5
const ROUNDS = 3

export type BenchSubject = { name: string; url: string; key?: string; body?: string; headers?: Record<string, string> }
type Measured = { perSecond: number; p50: number; p99: number }
export type BenchResult = Measured & { name: string }

async function measure({ url, key, body, headers }: BenchSubject, seconds: number): Promise<Measured> {
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    ...(body && { method: 'POST', body }),
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
  })
  if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} answers were not 2xx, ${errors} failed`)
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99 }
}

/** Requests a second and latencies (ms) of each subject, in turns, medians of the rounds. */
export async function measureAll(subjects: readonly BenchSubject[]): Promise<BenchResult[]> {
  const results = new Map<string, Measured[]>(subjects.map(({ name }) => [name, []]))
  for (const subject of subjects) await measure(subject, 2)
  for (let round = 0; round < ROUNDS; round++) {
    for (const subject of subjects) results.get(subject.name)?.push(await measure(subject, SECONDS))
  }
  return [...results].map(([name, rounds]) => ({
    name,
    perSecond: median(rounds.map((r) => r.perSecond)),
    p50: median(rounds.map((r) => r.p50)),
    p99: median(rounds.map((r) => r.p99)),
  }))
}

/** Results as a Markdown table, each against the first one. */
export function formatResults(rows: readonly BenchResult[], against: string): string {
  const base = rows[0]?.perSecond ?? Number.NaN
  return markdownTable(
    [`${CONNECTIONS} connections`, 'requests/s', 'p50 ms', 'p99 ms', `against ${against}`],
    rows.map((r) => [
      r.name,
      formatWhole(r.perSecond),
      formatTenth(r.p50),
      formatTenth(r.p99),
      formatTimes(r.perSecond / base),
    ]),
  )
}

/** Measures subjects and returns the results, each compared with the first. */
export const compareSubjects = async (subjects: readonly BenchSubject[], against: string): Promise<string> =>
  formatResults(await measureAll(subjects), against)

/** Starts the production server and its sandbox as processes; returns a key without limits. */
export async function startGateway(): Promise<{ url: string; key: string; stop: () => Promise<void> }> {
  const [webPort, sandboxPort] = [await findFreePort(3500), await findFreePort(4500)]
  const [url, sandboxUrl] = [`http://127.0.0.1:${webPort}`, `http://127.0.0.1:${sandboxPort}`]
  const { owner, key } = await makeCaller()
  await grantCredits(owner.id, 1_000_000_000n)
  // Beyond what a key may be given: the limit must not be what is measured.
  await mainPool().query('UPDATE "key" SET rpm = 2000000000 WHERE id = $1', [key.id])
  const env = {
    ...process.env,
    PORT: String(webPort),
    SANDBOX_URL: sandboxUrl,
    PUBLIC_URL: url,
    LOG_LEVEL: 'info',
  }
  const children: ChildProcessEntry[] = [
    startChildProcess('sandbox', env, 'bench-sandbox'),
    startChildProcess('web', env, 'bench-web'),
  ]
  const stop = () =>
    endProcesses(
      children.map((child) => child.process),
      5_000,
    )
  try {
    for (const ready of [`${sandboxUrl}/healthz`, `${url}/readyz`]) await waitUntilServerReady(ready)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, key: key.key, stop }
}
