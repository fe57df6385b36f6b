import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { exampleBody } from '../../server/api/openapi/examples'
import { inputSchemaAt, mutationPaths, restOperations } from '../../server/api/operations'
import { env } from '../../server/env'
import { allModels } from '../../server/models/registry'
import { withSandbox } from '../support/api'
import { startCpuTimer } from '../support/cpu-time'
import { startListener, type TestListener } from '../support/listener'
import { makeCaller } from '../support/owners'
import { signUpSomebody } from '../support/signed-in'
import { hostileBodies, sampleOf } from './hostile-bodies'

withSandbox()

const BYTES = 1_000_000
/** Above what is parsed on the main thread. */
const BRIEF_BYTES = 400_000
/** Main thread's CPU time for each begun MB of a body. */
const MAX_MS_PER_MB = 50
/** What else this thread did meanwhile, such as collecting garbage, is not measured every time. */
const ATTEMPTS = 9

type Answer = { status: number; text: string }
type Target = { name: string; url: string; method?: string; headers?: Record<string, string> }

let listener: TestListener
let key: Record<string, string>
let session: Record<string, string>
const client = fork(path.join(import.meta.dirname, '../support/hostile-client.mjs'), { serialization: 'advanced' })
const ready = once(client, 'message')

beforeAll(async () => {
  const [{ port }] = (await ready) as [{ port: number }]
  // Everything upstream is in the other process, too.
  for (const model of allModels())
    model.upstreams = model.upstreams.map((each) => ({ ...each, baseUrl: `http://127.0.0.1:${port}/v1` }))
  listener = await startListener()
  const caller = await makeCaller(100_000_000, { llm: true, agent: true })
  key = { authorization: `Bearer ${caller.key.key}` }
  const { cookie } = await signUpSomebody()
  session = { cookie: `${cookie.name}=${cookie.value}`, origin: env().PUBLIC_URL }
})
afterAll(async () => {
  client.kill()
  await listener.stop()
})

/** Sends a body from the other process; returns the answer with the CPU time of this thread. */
async function sendMeasured({ url, method = 'POST', headers }: Target, text: string): Promise<Answer & { ms: number }> {
  client.send({
    kind: 'load',
    url: listener.url + url,
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: Buffer.from(text),
  })
  await once(client, 'message')
  client.send({ kind: 'send' })
  const readMs = startCpuTimer()
  const [answer] = (await once(client, 'message')) as [Answer]
  return { ...answer, ms: readMs() }
}

/** The line of a body that costs too much however often it is sent, else nothing. */
async function excess(target: Target, name: string, text: string): Promise<string[]> {
  const allowed = MAX_MS_PER_MB * Math.max(1, Math.ceil(text.length / 1e6))
  let minMs = Number.POSITIVE_INFINITY
  for (let n = 0; n < ATTEMPTS && minMs > allowed; n++) {
    const { ms, status, text: answer } = await sendMeasured(target, text)
    const line = `${target.name}, ${name}: ${status} ${answer.slice(0, 200)}`
    expect(status, line).toBeGreaterThan(0)
    expect(status, line).not.toBe(500)
    minMs = Math.min(minMs, ms)
  }
  return minMs > allowed ? [`${Math.round(minMs)} ms: ${target.name}, ${name}`] : []
}

const seen = new Set<string>()

async function expectCheap(target: Target, schema: z.core.$ZodType, valid: unknown, isBrief = false): Promise<void> {
  await sendMeasured(target, JSON.stringify(valid))
  const slow: string[] = []
  const bytes = isBrief ? BRIEF_BYTES : BYTES
  for (const { name, text } of hostileBodies(schema, { valid, bytes, seen, isBrief }))
    slow.push(...(await excess(target, name, text)))
  expect(slow).toEqual([])
}

const takesBody = restOperations().filter(({ openapi, input }) => openapi.method !== 'GET' && input)

describe('a body that is made to cost much', () => {
  it.each(takesBody.map(({ openapi: { operationId, method, path }, input }) => [operationId, method, path, input]))(
    'costs little at %s',
    async (name, method, at, input) => {
      const url = `/api/v1${at.replaceAll(/\{\w+\}/g, '019ad000-0000-7000-8000-000000000000')}`
      await expectCheap({ name, url, method, headers: key }, input as z.ZodType, exampleBody(name) ?? {})
    },
  )

  it('costs little at MCP, in each revision', async () => {
    const schema = z.object({
      jsonrpc: z.literal('2.0'),
      id: z.union([z.string(), z.number()]),
      method: z.string(),
      params: z.object({ name: z.string(), arguments: z.object({ query: z.string() }), _meta: z.looseObject({}) }),
    })
    const valid = {
      ...(sampleOf(schema) as object),
      method: 'tools/call',
      params: { name: 'web_search', arguments: {} },
    }
    for (const revision of ['2025-03-26', '2025-11-25', '2026-07-28']) {
      const headers = { ...key, 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', 'mcp-name': 'web_search' }
      await expectCheap({ name: revision, url: '/api/v1/mcp', headers }, schema, valid, true)
    }
  })

  it('costs little in the playground', async () => {
    const target = { name: 'playground', url: '/api/playground/chat', headers: session }
    await expectCheap(target, inputSchemaAt('public.chat') as z.ZodType, exampleBody('chatCompletion'), true)
  })

  it.each(mutationPaths().filter((name) => inputSchemaAt(name) && !name.startsWith('public.')))(
    'costs little at the dashboard’s %s',
    async (name) => {
      const schema = inputSchemaAt(name) as z.ZodType
      await expectCheap({ name, url: `/api/trpc/${name}`, headers: session }, schema, sampleOf(schema), true)
    },
  )
})
