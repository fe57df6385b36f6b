import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { startCpuMeter } from './cpu'
import type { BenchSubject, LoadFigures } from './measure'
import { completionBody } from './mock-model'
import { quantile } from './table'

/** Who answers completions, and with which headers it is asked. */
export type ChatSubject = Pick<BenchSubject, 'name' | 'pid' | 'url' | 'key' | 'headers'>

const headersOf = ({ key, headers }: ChatSubject) => ({
  'content-type': 'application/json',
  ...(key && { authorization: `Bearer ${key}` }),
  ...headers,
})

async function send(subject: ChatSubject, agent: Agent, stream: boolean): Promise<IncomingMessage> {
  const body = completionBody(stream)
  const headers = { ...headersOf(subject), 'content-length': Buffer.byteLength(body) }
  const req = request(subject.url, { method: 'POST', agent, headers })
  req.end(body)
  const [res] = (await once(req, 'response')) as [IncomingMessage]
  return res
}

/**
 * One completion after the other over one connection for some seconds: latencies in milliseconds,
 * finer than autocannon's.
 */
export async function completeOneByOne(subject: ChatSubject, seconds: number): Promise<LoadFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const took: number[] = []
  const cpuPerCall = await startCpuMeter(subject.pid)
  const end = performance.now() + seconds * 1_000
  while (performance.now() < end) {
    const started = performance.now()
    const res = await send(subject, agent, false)
    if (res.statusCode !== 200) throw new Error(`${subject.url} answered ${res.statusCode}`)
    res.resume()
    await once(res, 'end')
    took.push(performance.now() - started)
  }
  agent.destroy()
  took.sort((a, b) => a - b)
  const latencies = { p50: quantile(took, 0.5), p99: quantile(took, 0.99) }
  return { perSecond: took.length / seconds, ...latencies, ...cpuPerCall(took.length) }
}

type Stream = { firstMs: number; totalMs: number }

/** One stream of the mock, from its request to its first bytes and to its end. */
export async function readStream(subject: ChatSubject, agent: Agent): Promise<Stream> {
  const started = performance.now()
  const res = await send(subject, agent, true)
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

export type StreamFigures = { first50: number; first99: number; total50: number; total99: number }

/** What some streams took. */
export function sumUpStreams(streams: readonly Stream[]): StreamFigures {
  const first = streams.map((each) => each.firstMs).sort((a, b) => a - b)
  const total = streams.map((each) => each.totalMs).sort((a, b) => a - b)
  return {
    first50: quantile(first, 0.5),
    first99: quantile(first, 0.99),
    total50: quantile(total, 0.5),
    total99: quantile(total, 0.99),
  }
}
