import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { QUERY_BODY } from './query-body'

/** One kind of call, and how many at once keep a machine busy with it. */
export type LoadKind = { name: string; callers: number; call: () => Promise<void> }

/** What came of the calls of a kind. */
export type LoadOutcome = { name: string; perSecond: number; calls: number; failed: number; firstError: string | null }

const MODEL = 'northwind/gale-4-mini'
const script = (given: object) => `Go. [[sandbox ${JSON.stringify(given)}]]`
const STREAMED = script({ text: 'lorem '.repeat(20), chunks: 20, chunkDelayMs: 20 })
// Two tools, because a run that goes on making one call is ended.
const TURNS = ['dataset_list', 'site_list'].map((name) => ({ toolCalls: [{ name, arguments: {} }] }))
const RUN = script({ turns: [...TURNS, { text: 'Done.' }] })

/** A mixed load: billed calls, streamed chats, and agent runs that are watched to their end. */
export function makeLoad(url: string, key: string): { kinds: LoadKind[]; close: () => Promise<void> } {
  const dispatcher = new Agent({ connections: 256 })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  async function send(path: string, body: string | null): Promise<string> {
    const method = body === null ? 'GET' : 'POST'
    const response = await request(url + path, { dispatcher, method, headers, body, bodyTimeout: 60_000 })
    const text = await response.body.text()
    if (response.statusCode >= 300) throw new Error(`${path} answered ${response.statusCode}: ${text.slice(0, 200)}`)
    return text
  }
  const query = async () => void (await send('/api/v1/query', QUERY_BODY))
  async function chat(): Promise<void> {
    const messages = [{ role: 'user', content: STREAMED }]
    const body = JSON.stringify({ model: MODEL, messages, max_tokens: 200, stream: true })
    const text = await send('/api/v1/chat/completions', body)
    if (!text.includes('[DONE]')) throw new Error(`a stream ended early: ${text.slice(-200)}`)
  }
  async function run(): Promise<void> {
    const given = { goal: RUN, idempotencyKey: randomUUID(), mode: 'autonomous', wait: false }
    const { jobId } = JSON.parse(await send('/api/v1/agent', JSON.stringify(given)))
    const events = await send(`/api/v1/agent/${jobId}/events`, null)
    if (!events.includes('"completed"')) throw new Error(`a run did not complete: ${events.slice(-200)}`)
  }
  const kinds = [
    { name: 'billed /query', callers: 16, call: query },
    { name: 'streamed chat of 20 chunks', callers: 16, call: chat },
    { name: 'agent run of 5 steps, watched by an event stream', callers: 8, call: run },
  ]
  return { kinds, close: () => dispatcher.close() }
}

/** Every kind at once as fast as it goes; returns the calls a second of each. */
export async function measureFullSpeed(kinds: readonly LoadKind[], seconds: number): Promise<number[]> {
  const end = performance.now() + seconds * 1_000
  const counted = kinds.map(async ({ callers, call }) => {
    let calls = 0
    const caller = async () => {
      for (; performance.now() < end; calls++) await call()
    }
    await Promise.all(Array.from({ length: callers }, caller))
    return calls / seconds
  })
  return Promise.all(counted)
}

/** As many calls a second of a kind, evenly, for some time; a call that fails is counted. */
export async function keepUp({ name, callers, call }: LoadKind, perSecond: number, ms: number): Promise<LoadOutcome> {
  const outcome: LoadOutcome = { name, perSecond, calls: 0, failed: 0, firstError: null }
  const began = performance.now()
  const open = new Set<Promise<void>>()
  for (let due = 0; due < ms; due += 1_000 / perSecond) {
    const wait = began + due - performance.now()
    if (wait > 1) await sleep(wait)
    // A machine that falls behind gets fewer calls, not ever more at once.
    if (open.size >= callers * 4) await Promise.race(open)
    if (performance.now() - began > ms) break
    const one: Promise<void> = call()
      .then(() => void outcome.calls++)
      .catch((error: unknown) => {
        outcome.failed++
        outcome.firstError ??= String(error)
      })
      .finally(() => open.delete(one))
    open.add(one)
  }
  await Promise.all(open)
  return outcome
}
