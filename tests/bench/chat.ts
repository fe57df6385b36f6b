import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { endProcesses, startChildProcess } from '../../server/cli/children'
import { findFreePort } from '../../server/cli/ports'
import { PROJECT_ROOT } from '../../server/cli/project'
import { waitUntilServerReady } from '../../server/cli/wait-until-ready'
import { grantCredits } from '../../server/credits/grant'
import { mainPool } from '../../server/db'
import { makeCaller } from '../support/owners'
import { formatTenth, formatTimes, formatWhole, markdownTable, median, quantile } from './table'

const SECONDS = 4
const ROUNDS = 3
const STREAMS = 100

type Subject = { name: string; url: string; key?: string }
type Measured = { perSecond: number; p50: number; p99: number }

const MODEL = 'bench/one'
const bodyOf = (stream: boolean) =>
  JSON.stringify({
    model: MODEL,
    messages: [{ role: 'user', content: 'Say lorem a hundred times.' }],
    max_tokens: 200,
    stream,
  })

const headersOf = ({ key }: Subject) => ({
  'content-type': 'application/json',
  ...(key && { authorization: `Bearer ${key}` }),
})

/**
 * One request after the other over one connection: latencies in milliseconds, finer than
 * autocannon's.
 */
async function oneByOne(subject: Subject): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const took: number[] = []
  const end = performance.now() + SECONDS * 1000
  while (performance.now() < end) {
    const started = performance.now()
    const req = request(subject.url, { method: 'POST', agent, headers: headersOf(subject) })
    req.end(bodyOf(false))
    const [res] = (await once(req, 'response')) as [IncomingMessage]
    if (res.statusCode !== 200) throw new Error(`${subject.url} answered ${res.statusCode}`)
    res.resume()
    await once(res, 'end')
    took.push(performance.now() - started)
  }
  agent.destroy()
  took.sort((a, b) => a - b)
  return { perSecond: took.length / SECONDS, p50: quantile(took, 0.5), p99: quantile(took, 0.99) }
}

async function together(subject: Subject): Promise<Measured> {
  const options = { connections: 32, duration: SECONDS, method: 'POST' as const, body: bodyOf(false) }
  const { requests, latency, non2xx, errors } = await autocannon({
    url: subject.url,
    headers: headersOf(subject),
    ...options,
  })
  if (non2xx > 0 || errors > 0) throw new Error(`${subject.url}: ${non2xx} answers were not 2xx, ${errors} failed`)
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99 }
}

type Stream = { firstMs: number; totalMs: number }
type Streamed = { first50: number; first99: number; total50: number; total99: number }

async function oneStream(subject: Subject, agent: Agent): Promise<Stream> {
  const started = performance.now()
  const req = request(subject.url, { method: 'POST', agent, headers: headersOf(subject) })
  req.end(bodyOf(true))
  const [res] = (await once(req, 'response')) as [IncomingMessage]
  let firstMs = 0
  let text = ''
  res.on('data', (data) => {
    if (firstMs === 0) firstMs = performance.now() - started
    text += data
  })
  await once(res, 'end')
  const pieces = text.match(/lorem /g)?.length
  if (res.statusCode !== 200 || pieces !== 100 || !text.includes('[DONE]'))
    throw new Error(`${subject.url} answered ${res.statusCode} with ${pieces} pieces`)
  return { firstMs, totalMs: performance.now() - started }
}

/**
 * Callers, each a bit later than the one before; what counts is their second stream, when all of
 * them are at work.
 */
async function streams(subject: Subject): Promise<Streamed> {
  const agent = new Agent({ keepAlive: true })
  const caller = async (_: unknown, i: number) => {
    await sleep((i * 1_000) / STREAMS)
    await oneStream(subject, agent)
    return oneStream(subject, agent)
  }
  const all = await Promise.all(Array.from({ length: STREAMS }, caller))
  agent.destroy()
  const first = all.map((s) => s.firstMs).sort((a, b) => a - b)
  const total = all.map((s) => s.totalMs).sort((a, b) => a - b)
  return {
    first50: quantile(first, 0.5),
    first99: quantile(first, 0.99),
    total50: quantile(total, 0.5),
    total99: quantile(total, 0.99),
  }
}

/** Every subject in turns, some rounds; the median of each figure. */
async function inTurns<T extends Record<string, number>>(
  subjects: readonly Subject[],
  measure: (subject: Subject) => Promise<T>,
): Promise<{ name: string; figures: T }[]> {
  const rounds = new Map<Subject, T[]>(subjects.map((subject) => [subject, []]))
  for (const subject of subjects) await measure(subject)
  for (let round = 0; round < ROUNDS; round++) {
    for (const subject of subjects) rounds.get(subject)?.push(await measure(subject))
  }
  return [...rounds].map(([{ name }, made]) => {
    const figures = Object.keys(made[0] ?? {}).map((key) => [key, median(made.map((each) => each[key] ?? Number.NaN))])
    return { name, figures: Object.fromEntries(figures) as T }
  })
}

/** A process that the benchmark compares with, ended by its id. */
function startOther(file: string, ...args: string[]): () => void {
  const options = { cwd: PROJECT_ROOT, stdio: 'ignore' as const }
  const child = spawn(process.execPath, [path.join('tests', 'bench', file), ...args], options)
  return () => void child.kill('SIGKILL')
}

/** A registry with one model, whose upstream is ours. */
function writeModels(folder: string, baseUrl: string): string {
  const file = path.join(folder, 'models.json')
  const size = { contextSize: 128_000, maxOutput: 16_384, usdPer1mInput: 1, usdPer1mOutput: 4, vision: false }
  const upstreams = [{ api: 'chat', baseUrl, apiKeyEnv: null, model: 'bench' }]
  writeFileSync(
    file,
    JSON.stringify([{ id: MODEL, name: 'Bench', provider: 'Bench', kind: 'chat', ...size, upstreams }]),
  )
  return file
}

/**
 * A billed completion through the production server against a direct call to the same upstream and
 * against a proxy of 20 lines: one by one, 32 at once, and 100 streams of 100 chunks at once.
 * Returns Markdown tables.
 */
export async function benchChat(): Promise<string> {
  const [webPort, upstreamPort, proxyPort] = [
    await findFreePort(3800),
    await findFreePort(4800),
    await findFreePort(4900),
  ]
  const upstreamUrl = `http://127.0.0.1:${upstreamPort}`
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-bench-'))
  const MODELS_FILE = writeModels(folder, upstreamUrl)
  const base = `http://127.0.0.1:${webPort}`
  const env = { ...process.env, PORT: String(webPort), PUBLIC_URL: base, MODELS_FILE, LOG_LEVEL: 'info' }
  const { owner, key } = await makeCaller(1_000_000_000, { llm: true })
  await grantCredits(owner.id, 1_000_000_000n)
  // Beyond what a key may be given: the limit must not be what is measured.
  await mainPool().query('UPDATE "key" SET rpm = 2000000000 WHERE id = $1', [key.id])
  const others = [
    startOther('chat-upstream.mjs', String(upstreamPort)),
    startOther('pass-proxy.mjs', String(proxyPort), upstreamUrl),
  ]
  const web = startChildProcess('web', env, 'bench-chat-web')
  const subjects: Subject[] = [
    { name: 'the upstream itself', url: `${upstreamUrl}/chat/completions` },
    { name: 'a proxy of 20 lines', url: `http://127.0.0.1:${proxyPort}/chat/completions` },
    { name: 'billed, through our server (npm start)', url: `${base}/api/v1/chat/completions`, key: key.key },
  ]
  try {
    await waitUntilServerReady(`${base}/readyz`)
    const alone = await inTurns(subjects, oneByOne)
    const many = await inTurns(subjects, together)
    const streamed = await inTurns(subjects, streams)
    return [speedTable('one by one', alone), speedTable('32 connections', many), streamTable(streamed)].join('\n\n')
  } finally {
    for (const end of others) end()
    await endProcesses([web.process], 5_000)
    rmSync(folder, { recursive: true })
  }
}

function speedTable(title: string, rows: readonly { name: string; figures: Measured }[]): string {
  const direct = rows[0]?.figures
  const proxy = rows[1]?.figures
  return markdownTable(
    [title, 'requests/s', 'p50 ms', 'p99 ms', 'added p50 ms', 'against the proxy'],
    rows.map(({ name, figures: f }) => [
      name,
      formatWhole(f.perSecond),
      f.p50.toFixed(2),
      f.p99.toFixed(2),
      (f.p50 - (direct?.p50 ?? Number.NaN)).toFixed(2),
      formatTimes(f.perSecond / (proxy?.perSecond ?? Number.NaN)),
    ]),
  )
}

function streamTable(rows: readonly { name: string; figures: Streamed }[]): string {
  const direct = rows[0]?.figures.first50 ?? Number.NaN
  return markdownTable(
    [`${STREAMS} streams of 100 chunks`, 'first token p50 ms', 'p99 ms', 'added p50 ms', 'total p50 ms', 'p99 ms'],
    rows.map(({ name, figures: f }) => [
      name,
      formatTenth(f.first50),
      formatTenth(f.first99),
      formatTenth(f.first50 - direct),
      formatWhole(f.total50),
      formatWhole(f.total99),
    ]),
  )
}
