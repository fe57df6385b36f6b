import path from 'node:path'
import autocannon, { type AutocannonRequest } from 'autocannon'
import { endProcesses, startChildProcess } from '../../server/cli/children'
import { findFreePort } from '../../server/cli/kit/ports'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { SERVICE_OPTIONS } from '../../server/cli/setup/root.mjs'
import { waitUntilServerReady } from '../../server/cli/wait-until-ready'
import { grantCredits } from '../../server/credits/grant'
import { mainPool } from '../../server/db'
import { makeCaller } from '../support/owners'
import { CPU_HEADS, type CpuPerCall, formatCpuSpread, startCpuMeter } from './cpu'
import { benchOptions } from './options'
import { formatTimesSpread, formatWhole, markdownTable, medianOfEach, ratiosOf, spreadOf } from './table'

const CONNECTIONS = 32
const SECONDS = 5

/** What is called, and the process that answers (its pid), or the one that runs several. */
export type BenchSubject = {
  name: string
  pid: number
  url: string
  key?: string
  /** Each call uses the next of them. */
  keys?: readonly string[]
  body?: string
  headers?: Record<string, string>
  /** How many connections call it at once; 32 by default. */
  connections?: number
  /** Every call is refused. */
  isRefused?: boolean
}
export type LoadFigures = { perSecond: number; p50: number; p99: number } & CpuPerCall
/** The median of each figure, and the rounds it is of. */
export type BenchResult<T = LoadFigures> = { name: string; figures: T; rounds: readonly T[] }

/** Gives each call the next key, over all connections. */
function takeNextKey(keys: readonly string[]) {
  let calls = 0
  return (request: AutocannonRequest): AutocannonRequest => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${keys[calls++ % keys.length]}` },
  })
}

/** Calls over many connections at once: calls a second, latencies (ms) and CPU time a call. */
export async function measureLoad(subject: BenchSubject, seconds: number): Promise<LoadFigures> {
  const { url, key, keys, body, headers, pid, isRefused = false, connections = CONNECTIONS } = subject
  const cpuPerCall = await startCpuMeter(pid)
  const { requests, latency, non2xx, errors, duration } = await autocannon({
    url,
    connections,
    duration: seconds,
    ...(body && { method: 'POST', body }),
    ...(keys && { requests: [{ setupRequest: takeNextKey(keys) }] }),
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
  })
  const unexpected = isRefused ? requests.total - non2xx : non2xx
  if (unexpected > 0 || errors > 0)
    throw new Error(`${url}: ${unexpected} answers were not as expected, ${errors} failed`)
  return { perSecond: requests.total / duration, p50: latency.p50, p99: latency.p99, ...cpuPerCall(requests.total) }
}

/** Every subject in turns: once to warm up, then some rounds. */
export async function measureInTurns<S extends { name: string }, T extends Record<string, number>>(
  subjects: readonly S[],
  measure: (subject: S, isWarmUp: boolean) => Promise<T>,
): Promise<BenchResult<T>[]> {
  const rounds = new Map<S, T[]>(subjects.map((subject) => [subject, []]))
  for (const subject of subjects) await measure(subject, true)
  for (let round = 0; round < benchOptions.rounds; round++) {
    for (const subject of subjects) rounds.get(subject)?.push(await measure(subject, false))
  }
  return [...rounds].map(([{ name }, made]) => ({ name, figures: medianOfEach(made), rounds: made }))
}

/** Calls a second, latencies (ms) and CPU time a call of each subject. */
export const measureAll = (subjects: readonly BenchSubject[]): Promise<BenchResult[]> =>
  measureInTurns(subjects, (subject, isWarmUp) => measureLoad(subject, isWarmUp ? 2 : SECONDS))

/** Requests a second, latencies and CPU time as cells, each with its spread over the rounds. */
export const formatLoad = (rounds: readonly LoadFigures[]): string[] => [
  spreadOf(rounds, 'perSecond', formatWhole),
  spreadOf(rounds, 'p50', formatWhole),
  spreadOf(rounds, 'p99', formatWhole),
  ...formatCpuSpread(rounds),
]

/** The columns that `formatLoad` fills. */
export const LOAD_HEADS = ['requests/s', 'p50 ms', 'p99 ms', ...CPU_HEADS]

/** How many times as many calls as the neighbour in each round, with the spread. */
export const formatAgainst = (rounds: readonly LoadFigures[], base: readonly LoadFigures[]): string =>
  formatTimesSpread(ratiosOf(rounds, base, 'perSecond'))

/** Results as a Markdown table, each against the first one. */
export function formatResults(results: readonly BenchResult[], against: string): string {
  return markdownTable(
    [`${CONNECTIONS} connections, ${results[0]?.rounds.length} rounds`, ...LOAD_HEADS, `against ${against}`],
    results.map(({ name, rounds }) => [name, ...formatLoad(rounds), formatAgainst(rounds, results[0]?.rounds ?? [])]),
  )
}

/** Measures subjects and returns the results, each compared with the first. */
export const compareSubjects = async (subjects: readonly BenchSubject[], against: string): Promise<string> =>
  formatResults(await measureAll(subjects), against)

/** The production server: its address and pid, a key without limits, and what ends it. */
type Gateway = {
  url: string
  sandboxUrl: string
  pid: number
  key: string
  keyId: number
  ownerId: number
  /** The settings it was started with. */
  env: NodeJS.ProcessEnv
  stop: () => Promise<void>
}

/** As `npm start` starts them: the launcher, which runs several of the web process. */
const launch = (env: NodeJS.ProcessEnv, processes: number) =>
  startChildProcess(
    'launch',
    { ...env, WEB_CONCURRENCY: String(processes) },
    { logName: 'bench-web', args: [...SERVICE_OPTIONS, path.join(PROJECT_ROOT, 'dist', 'web.js')] },
  )

/**
 * Starts the production server, in one process or in several, with the settings that are `given`,
 * and its sandbox.
 */
export async function startGateway(processes = 1, given: Record<string, string> = {}): Promise<Gateway> {
  // The models' file of this bench names the address of the first sandbox.
  const sandboxAt = Number(new URL(process.env.SANDBOX_URL ?? '').port)
  const [webPort, sandboxPort] = [await findFreePort(3500), await findFreePort(sandboxAt)]
  const [url, sandboxUrl] = [`http://127.0.0.1:${webPort}`, `http://127.0.0.1:${sandboxPort}`]
  const { owner, key } = await makeCaller(0, { llm: true, agent: true, agentRunBudgetCredits: 1_000_000_000 })
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
  const web =
    processes > 1 ? launch(env, processes) : startChildProcess('web', { ...env, ...given }, { logName: 'bench-web' })
  const stop = () => endProcesses([sandbox.process, web.process], 5_000)
  try {
    for (const ready of [`${sandboxUrl}/healthz`, `${url}/readyz`]) await waitUntilServerReady(ready)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, sandboxUrl, pid: web.process.pid, key: key.key, keyId: key.id, ownerId: owner.id, env, stop }
}
