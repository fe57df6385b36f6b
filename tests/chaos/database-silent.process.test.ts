import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeSessionCookie } from '../../server/accounts/session'
import { findLedgerDifferences } from '../../server/credits/verify'
import { withSandbox } from '../support/api'
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy'
import { makeCaller, makeOwner } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { startWebProcess, type WebProcess } from '../support/web-process'

withSandbox()
let proxy: DatabaseProxy
let web: WebProcess

beforeAll(async () => {
  proxy = await startDatabaseProxy(process.env.DATABASE_URL ?? '')
  web = await startWebProcess({ DATABASE_URL: proxy.url })
})
afterEach(() => proxy.thaw())
afterAll(async () => {
  await web.kill('SIGKILL')
  await proxy.close()
})

/** A request that may hang at most so long; its status, code and Retry-After. */
async function ask(path: string, { key, body }: { key?: string; body?: object } = {}) {
  const res = await fetch(`${web.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(120_000),
  })
  const { code } = (await res.json()) as { code?: string }
  return { status: res.status, code, retryAfter: res.headers.get('retry-after') }
}

const prices = { tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } }
const isServing = async (key: string) => (await ask('/api/v1/query', { key, body: prices })).status === 200
const isReady = async () => (await ask('/readyz')).status === 200

describe('connections whose peer fell silent, while new ones work', () => {
  it('are given up, and calls are answered through new ones', async () => {
    const { key } = await makeCaller(10_000)
    const callers = Array.from({ length: 10 }, () => ask('/api/v1/query', { key: key.key, body: prices }))
    for (const { status } of await Promise.all(callers)) expect(status).toBe(200)
    proxy.freezeOpen()
    // The first callers may get 503 with Retry-After; nobody hangs, and soon everybody is served.
    const first = await Promise.all(Array.from({ length: 10 }, () => ask('/api/v1/key', { key: key.key })))
    for (const { status } of first) expect([200, 503]).toContain(status)
    await pollUntil('service', () => isServing(key.key))
    await pollUntil('readiness', isReady)
    expect(await findLedgerDifferences()).toEqual([])
  })
})

describe('a database that fell silent altogether', () => {
  it('is not ready within 2 s of being asked, and calls get 503 with Retry-After; then it serves again', async () => {
    const { key } = await makeCaller(10_000)
    // A connection that the test before left silent may still be met once.
    await pollUntil('service', () => isServing(key.key))
    proxy.freezeAll()
    const [ready, call, page] = await Promise.all([
      ask('/readyz'),
      ask('/api/v1/query', { key: key.key, body: prices }),
      ask('/api/v1/usage', { key: key.key }),
    ])
    for (const answer of [ready, call, page]) {
      expect(answer).toMatchObject({ status: 503, code: 'unavailable', retryAfter: expect.stringMatching(/^\d+$/) })
    }
    const asked = performance.now()
    expect(await ask('/readyz')).toMatchObject({ status: 503 })
    // 2 s by itself; more on a machine with other things to do.
    expect(performance.now() - asked).toBeLessThan(10_000)
    proxy.thaw()
    await pollUntil('service', () => isServing(key.key))
    await pollUntil('readiness', isReady)
    expect(await findLedgerDifferences()).toEqual([])
  })
})

describe('the sign-in page of a browser with a session', () => {
  it('is 503 with Retry-After while the database is silent', async () => {
    const owner = await makeOwner()
    const { name, value } = await makeSessionCookie({ ...owner, name: null })
    const page = () =>
      fetch(`${web.url}/signin`, {
        headers: { cookie: `${name}=${value}` },
        redirect: 'manual',
        signal: AbortSignal.timeout(60_000),
      })
    expect((await page()).status).toBe(307)
    proxy.freezeAll()
    const away = await page()
    expect(away.status).toBe(503)
    expect(away.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    proxy.thaw()
    await pollUntil('the page', async () => (await page()).status === 307)
  })
})

describe('a backend that is ended under a call', () => {
  it('fails no authentication: the statement is repeated on another connection', async () => {
    const { key } = await makeCaller(10_000)
    await pollUntil('service', () => isServing(key.key))
    const admin = new pg.Client({ connectionString: process.env.DATABASE_URL })
    await admin.connect()
    let isOver = false
    let ended = 0
    const ending = (async () => {
      while (!isOver) {
        const { rowCount } = await admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE pid <> pg_backend_pid() AND datname = current_database() AND state = 'active' AND query LIKE '%credits_batch%'`,
        )
        ended += rowCount ?? 0
        // Time for the repeated statement to be answered.
        await sleep(rowCount ? 500 : 2)
      }
    })()
    const giveUp = performance.now() + 30_000
    while (ended < 3 && performance.now() < giveUp) {
      const asked = Array.from({ length: 10 }, () => ask('/api/v1/query', { key: key.key, body: { tool: 'none' } }))
      for (const answer of await Promise.all(asked)) expect(answer).toMatchObject({ status: 400, code: 'unknown_tool' })
    }
    isOver = true
    await ending
    expect(ended).toBeGreaterThanOrEqual(3)
    await admin.end()
  })
})
