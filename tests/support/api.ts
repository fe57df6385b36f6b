import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { closeQueue } from '../../server/agent/queue'
import { verifyLedger } from '../../server/credits/verify'
import { closeDb, pool } from '../../server/db'
import { doorAt } from '../../server/doors/mounts'
import { startSandbox } from '../../server/sandbox/start'
import type { TestOwner } from './make'

export type Answer = { status: number; headers: Headers; body: Record<string, unknown>; text: string }

type Send = {
  method?: string
  key?: string
  headers?: Record<string, string>
  body?: unknown
  raw?: BodyInit
  signal?: AbortSignal
}

/** Sends a request to the door of a path, as the production server does. */
export async function send(path: string, { method, key, headers, body, raw, signal }: Send = {}): Promise<Answer> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const url = new URL(path, 'http://127.0.0.1:3000')
  const request = new Request(url, {
    method: method ?? (payload === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: payload,
    signal,
    ...(payload instanceof ReadableStream && { duplex: 'half' }),
  })
  const door = doorAt(url.pathname)
  if (!door) throw new Error(`no door at ${url.pathname}`)
  const response = await door(request)
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : {},
  }
}

/** Calls one tool over REST. */
export const callQuery = (key: string, tool: string, params: unknown = {}, headers: Record<string, string> = {}) =>
  send('/api/v1/query', { key, body: { tool, params }, headers })

/** What an owner has spent by the ledger: the sum of its charges, in credits. */
export async function chargedTo({ id }: TestOwner): Promise<number> {
  const { rows } = await pool().query(
    'SELECT coalesce(-sum(amount), 0)::int AS sum FROM ledger WHERE owner_id = $1 AND hold_id IS NOT NULL',
    [id],
  )
  return rows[0].sum
}

/** Runs the sandbox for a test file; after each test file the whole ledger must agree. */
export function withSandbox(): { url: () => string; calls: () => Promise<number> } {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>
  beforeAll(async () => {
    sandbox = await startSandbox({ port: Number(new URL(process.env.SANDBOX_URL ?? '').port) })
  })
  beforeEach(() => fetch(`${sandbox.url}/__reset`, { method: 'POST' }))
  afterAll(async () => {
    await sandbox.stop()
    expect(await verifyLedger()).toEqual([])
    await closeQueue()
    await closeDb()
  })
  return {
    url: () => sandbox.url,
    calls: async () => ((await (await fetch(`${sandbox.url}/__calls`)).json()) as { total: number }).total,
  }
}
