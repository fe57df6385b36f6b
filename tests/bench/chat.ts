import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endProcesses, startChildProcess } from '../../server/cli/children'
import { findFreePort } from '../../server/cli/ports'
import { waitUntilServerReady } from '../../server/cli/wait-until-ready'
import { grantCredits } from '../../server/credits/grant'
import { mainPool } from '../../server/db'
import { makeCaller } from '../support/owners'
import { CPU_HEADS, formatCpu, startCpuMeter } from './cpu'
import { type BenchSubject, type LoadFigures, measureInTurns, measureLoad } from './measure'
import { completionBody, writeMockModels } from './mock-model'
import { startOtherProcess } from './other-process'
import { formatTenth, formatTimes, formatWhole, markdownTable, quantile } from './table'

const SECONDS = 4
const STREAMS = 100

type Subject = Pick<BenchSubject, 'name' | 'pid' | 'url' | 'key'>

const headersOf = ({ key }: Subject) => ({
  'content-type': 'application/json',
  ...(key && { authorization: `Bearer ${key}` }),
})

/**
 * One request after the other over one connection: latencies in milliseconds, finer than
 * autocannon's.
 */
async function oneByOne(subject: Subject): Promise<LoadFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const took: number[] = []
  const cpuPerCall = await startCpuMeter(subject.pid)
  const end = performance.now() + SECONDS * 1000
  while (performance.now() < end) {
    const started = performance.now()
    const req = request(subject.url, { method: 'POST', agent, headers: headersOf(subject) })
    req.end(completionBody(false))
    const [res] = (await once(req, 'response')) as [IncomingMessage]
    if (res.statusCode !== 200) throw new Error(`${subject.url} answered ${res.statusCode}`)
    res.resume()
    await once(res, 'end')
    took.push(performance.now() - started)
  }
  agent.destroy()
  took.sort((a, b) => a - b)
  const latencies = { p50: quantile(took, 0.5), p99: quantile(took, 0.99) }
  return { perSecond: took.length / SECONDS, ...latencies, ...cpuPerCall(took.length) }
}

const together = (subject: Subject): Promise<LoadFigures> =>
  measureLoad({ ...subject, body: completionBody(false) }, SECONDS)

type Stream = { firstMs: number; totalMs: number }
type Streamed = { first50: number; first99: number; total50: number; total99: number }

async function oneStream(subject: Subject, agent: Agent): Promise<Stream> {
  const started = performance.now()
  const req = request(subject.url, { method: 'POST', agent, headers: headersOf(subject) })
  req.end(completionBody(true))
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
  const MODELS_FILE = writeMockModels(folder, upstreamUrl)
  const base = `http://127.0.0.1:${webPort}`
  const env = { ...process.env, PORT: String(webPort), PUBLIC_URL: base, MODELS_FILE, LOG_LEVEL: 'info' }
  const { owner, key } = await makeCaller(1_000_000_000, { llm: true })
  await grantCredits(owner.id, 1_000_000_000n)
  // Beyond what a key may be given: the limit must not be what is measured.
  await mainPool().query('UPDATE "key" SET rpm = 2000000000 WHERE id = $1', [key.id])
  const upstream = startOtherProcess('tests/bench/chat-upstream.mjs', String(upstreamPort))
  const proxy = startOtherProcess('tests/bench/pass-proxy.mjs', String(proxyPort), upstreamUrl)
  const web = startChildProcess('web', env, { logName: 'bench-chat-web' })
  const subjects: Subject[] = [
    { name: 'the upstream itself', pid: upstream.pid, url: `${upstreamUrl}/chat/completions` },
    { name: 'a proxy of 20 lines', pid: proxy.pid, url: `http://127.0.0.1:${proxyPort}/chat/completions` },
    {
      name: 'billed, through our server (npm start)',
      pid: web.process.pid,
      url: `${base}/api/v1/chat/completions`,
      key: key.key,
    },
  ]
  try {
    await waitUntilServerReady(`${base}/readyz`)
    const alone = await measureInTurns(subjects, oneByOne)
    const many = await measureInTurns(subjects, together)
    const streamed = await measureInTurns(subjects, streams)
    return [speedTable('one by one', alone), speedTable('32 connections', many), streamTable(streamed)].join('\n\n')
  } finally {
    for (const other of [upstream, proxy]) other.end()
    await endProcesses([web.process], 5_000)
    rmSync(folder, { recursive: true })
  }
}

function speedTable(title: string, rows: readonly { name: string; figures: LoadFigures }[]): string {
  const direct = rows[0]?.figures
  const proxy = rows[1]?.figures
  return markdownTable(
    [title, 'requests/s', 'p50 ms', 'p99 ms', 'added p50 ms', ...CPU_HEADS, 'against the proxy'],
    rows.map(({ name, figures: f }) => [
      name,
      formatWhole(f.perSecond),
      f.p50.toFixed(2),
      f.p99.toFixed(2),
      (f.p50 - (direct?.p50 ?? Number.NaN)).toFixed(2),
      ...formatCpu(f),
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
