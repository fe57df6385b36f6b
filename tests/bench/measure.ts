import autocannon from 'autocannon'
import { type Child, endAll, startChild } from '../../server/cli/children'
import { freePort } from '../../server/cli/ports'
import { untilAnswers } from '../../server/cli/until-answers'
import { grant } from '../../server/credits/grant'
import { pool } from '../../server/db'
import { makeCaller } from '../support/make'
import { median, table, tenth, times, whole } from './table'

export const CONNECTIONS = 32
const SECONDS = 5
const ROUNDS = 3

export type Subject = { name: string; url: string; key?: string; body?: string; headers?: Record<string, string> }
type Measured = { perSecond: number; p50: number; p99: number }
export type Result = Measured & { name: string }

async function measure({ url, key, body, headers }: Subject, seconds: number): Promise<Measured> {
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
export async function measureAll(subjects: readonly Subject[]): Promise<Result[]> {
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
export function tell(rows: readonly Result[], against: string): string {
  const base = rows[0]?.perSecond ?? Number.NaN
  return table(
    [`${CONNECTIONS} connections`, 'requests/s', 'p50 ms', 'p99 ms', `against ${against}`],
    rows.map((r) => [r.name, whole(r.perSecond), tenth(r.p50), tenth(r.p99), times(r.perSecond / base)]),
  )
}

/** Measures subjects and tells the results, each against the first one. */
export const compare = async (subjects: readonly Subject[], against: string): Promise<string> =>
  tell(await measureAll(subjects), against)

/** The production server and its sandbox as processes of their own, and a key that no limit stops. */
export async function startGateway(): Promise<{ url: string; key: string; stop: () => Promise<void> }> {
  const [webPort, sandboxPort] = [await freePort(3500), await freePort(4500)]
  const [url, sandboxUrl] = [`http://127.0.0.1:${webPort}`, `http://127.0.0.1:${sandboxPort}`]
  const { owner, key } = await makeCaller()
  await grant(owner.id, 1_000_000_000n)
  // Beyond what a key may be given: the limit must not be what is measured.
  await pool().query('UPDATE "key" SET rpm = 2000000000 WHERE id = $1', [key.id])
  const env = {
    ...process.env,
    PORT: String(webPort),
    SANDBOX_URL: sandboxUrl,
    PUBLIC_URL: url,
    LOG_LEVEL: 'info',
  }
  const children: Child[] = [startChild('sandbox', env, 'bench-sandbox'), startChild('web', env, 'bench-web')]
  const stop = () =>
    endAll(
      children.map((child) => child.process),
      5_000,
    )
  try {
    for (const ready of [`${sandboxUrl}/healthz`, `${url}/readyz`]) await untilAnswers(ready)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, key: key.key, stop }
}
