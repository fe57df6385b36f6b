import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { closeQueue } from '../../server/agent/queue/connection'
import { findLedgerDifferences } from '../../server/credits/verify'
import { waitForWriters } from '../../server/credits/wait-for-writers'
import { closeDb, mainPool } from '../../server/db'
import { env } from '../../server/env'
import { handlerAt } from '../../server/http/mounts'
import { openStreams } from '../../server/kit/sse'
import { startSandboxServer } from '../../server/sandbox/start'
import { closeHttp, type HttpRequest, type HttpResponse, sendHttp } from './http'
import { sharedListener, stopSharedListener } from './listener'
import type { TestOwner } from './owners'

export type TestResponse = { status: number; headers: Headers; body: Record<string, unknown>; text: string }

type Send = {
  method?: string
  key?: string
  headers?: Record<string, string>
  body?: unknown
  raw?: HttpRequest['body']
  signal?: AbortSignal
  /**
   * Calls the handler itself: for what no client can do over HTTP, such as disconnecting before it
   * has sent anything.
   */
  isDirect?: boolean
}

/** Sends a request to the production listener over HTTP. */
export async function send(path: string, given: Send = {}): Promise<TestResponse> {
  const { method, key, headers, body, raw, signal, isDirect = false } = given
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const request = {
    method: method ?? (payload === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: payload,
    signal,
  }
  const answer = await (isDirect ? callHandler(path, request) : sendHttp((await sharedListener()).url + path, request))
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false
  return { ...answer, body: isJson && answer.text !== '' ? JSON.parse(answer.text) : {} }
}

/** Calls the handler of a path itself. */
async function callHandler(path: string, { body, ...init }: HttpRequest): Promise<HttpResponse> {
  const url = new URL(path, 'http://127.0.0.1:3000')
  const handler = handlerAt(url.pathname)
  if (!handler) throw new Error(`no handler at ${url.pathname}`)
  const payload = body instanceof Uint8Array ? Buffer.from(body) : body
  const response = await handler(
    new Request(url, { ...init, body: payload, ...(body instanceof ReadableStream && { duplex: 'half' }) }),
  )
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Waits until no call or stream is in progress, also of clients that have disconnected. */
export const waitForCallsToEnd = async (): Promise<void> => {
  const { inFlight } = await sharedListener()
  await expect.poll(() => inFlight.count + openStreams.count).toBe(0)
}

/** Calls one tool over REST. */
export const callQuery = (key: string, tool: string, params: unknown = {}, headers: Record<string, string> = {}) =>
  send('/api/v1/query', { key, body: { tool, params }, headers })

/** What an owner has spent by the ledger: the sum of its charges, in credits. */
export async function chargedTo({ id }: TestOwner): Promise<number> {
  await waitForWriters(id)
  const { rows } = await mainPool().query(
    'SELECT coalesce(-sum(amount), 0)::int AS sum FROM ledger WHERE owner_id = $1 AND hold_id IS NOT NULL',
    [id],
  )
  return rows[0].sum
}

/**
 * Runs the sandbox for a test file; after each test file the whole ledger must agree. `hurry` ends
 * the waits of slow answers for the rest of a test that has seen what it needs them for.
 */
export function withSandbox(): { url: () => string; calls: () => Promise<number>; hurry: () => Promise<unknown> } {
  let sandbox: Awaited<ReturnType<typeof startSandboxServer>>
  beforeAll(async () => {
    sandbox = await startSandboxServer({ port: Number(new URL(env().SANDBOX_URL).port) })
  })
  // Without HTTP: there are thousands of tests.
  const control = (method: string, path: string) => sandbox.handle(new Request(sandbox.url + path, { method }))
  beforeEach(() => control('POST', '/__reset'))
  afterAll(async () => {
    await stopSharedListener()
    closeHttp()
    await sandbox.stop()
    expect(await findLedgerDifferences()).toEqual([])
    await closeQueue()
    await closeDb()
  })
  return {
    url: () => sandbox.url,
    hurry: () => control('POST', '/__hurry'),
    calls: async () => ((await (await control('GET', '/__calls')).json()) as { total: number }).total,
  }
}
