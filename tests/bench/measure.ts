import path from 'node:path'
import autocannon from 'autocannon'
import { endProcesses, startChildProcess } from '../../server/cli/children'
import { findFreePort } from '../../server/cli/ports'
import { PROJECT_ROOT } from '../../server/cli/project'
import { SERVICE_OPTIONS } from '../../server/cli/setup/root.mjs'
import { waitUntilServerReady } from '../../server/cli/wait-until-ready'
import { grantCredits } from '../../server/credits/grant'
import { mainPool } from '../../server/db'
import { makeCaller } from '../support/owners'
import { CPU_HEADS, type CpuPerCall, formatCpu, startCpuMeter } from './cpu'
import { formatTenth, formatTimes, formatWhole, markdownTable, medianOfEach } from './table'

const CONNECTIONS = 32
const SECONDS = 5
const ROUNDS = 3

/** What is called, and the process that answers (its pid), or the one that runs several. */
export type BenchSubject = {
  name: string
  pid: number
  url: string
  key?: string
  body?: string
  headers?: Record<string, string>
}
export type LoadFigures = { perSecond: number; p50: number; p99: number } & CpuPerCall
export type BenchResult = { name: string; figures: LoadFigures }

/** Calls over many connections at once: calls a second, latencies (ms) and CPU time a call. */
export async function measureLoad(subject: BenchSubject, seconds: number): Promise<LoadFigures> {
  const { url, key, body, headers, pid } = subject
  const cpuPerCall = await startCpuMeter(pid)
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
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99, ...cpuPerCall(requests.total) }
}

/** Every subject in turns: once to warm up, then some rounds; the median of each figure. */
export async function measureInTurns<S extends { name: string }, T extends Record<string, number>>(
  subjects: readonly S[],
  measure: (subject: S, isWarmUp: boolean) => Promise<T>,
): Promise<{ name: string; figures: T }[]> {
  const rounds = new Map<S, T[]>(subjects.map((subject) => [subject, []]))
  for (const subject of subjects) await measure(subject, true)
  for (let round = 0; round < ROUNDS; round++) {
    for (const subject of subjects) rounds.get(subject)?.push(await measure(subject, false))
  }
  return [...rounds].map(([{ name }, made]) => ({ name, figures: medianOfEach(made) }))
}

/** Calls a second, latencies (ms) and CPU time a call of each subject. */
export const measureAll = (subjects: readonly BenchSubject[]): Promise<BenchResult[]> =>
  measureInTurns(subjects, (subject, isWarmUp) => measureLoad(subject, isWarmUp ? 2 : SECONDS))

/** Results as a Markdown table, each against the first one. */
export function formatResults(rows: readonly BenchResult[], against: string): string {
  const base = rows[0]?.figures.perSecond ?? Number.NaN
  return markdownTable(
    [`${CONNECTIONS} connections`, 'requests/s', 'p50 ms', 'p99 ms', ...CPU_HEADS, `against ${against}`],
    rows.map(({ name, figures: f }) => [
      name,
      formatWhole(f.perSecond),
      formatTenth(f.p50),
      formatTenth(f.p99),
      ...formatCpu(f),
      formatTimes(f.perSecond / base),
    ]),
  )
}

/** Measures subjects and returns the results, each compared with the first. */
export const compareSubjects = async (subjects: readonly BenchSubject[], against: string): Promise<string> =>
  formatResults(await measureAll(subjects), against)

/** The production server: its address and pid, a key without limits, and what ends it. */
type Gateway = { url: string; pid: number; key: string; stop: () => Promise<void> }

/** As `npm start` starts them: the launcher, which runs several of the web process. */
const launch = (env: NodeJS.ProcessEnv, processes: number) =>
  startChildProcess(
    'launch',
    { ...env, WEB_CONCURRENCY: String(processes) },
    { logName: 'bench-web', args: [...SERVICE_OPTIONS, path.join(PROJECT_ROOT, 'dist', 'web.js')] },
  )

/** Starts the production server, in one process or in several, and its sandbox. */
export async function startGateway(processes = 1): Promise<Gateway> {
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
  const sandbox = startChildProcess('sandbox', env, { logName: 'bench-sandbox' })
  const web = processes > 1 ? launch(env, processes) : startChildProcess('web', env, { logName: 'bench-web' })
  const stop = () => endProcesses([sandbox.process, web.process], 5_000)
  try {
    for (const ready of [`${sandboxUrl}/healthz`, `${url}/readyz`]) await waitUntilServerReady(ready)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, pid: web.process.pid, key: key.key, stop }
}
