import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { getBalance } from '../../server/credits/balance'
import { mainPool } from '../../server/db'
import { chargedTo, withSandbox } from '../support/api'
import { makeCaller, makeKey } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { startWebProcess, type WebProcess } from '../support/web-process'

withSandbox()
let web: WebProcess
let holder: pg.Client

beforeAll(async () => {
  web = await startWebProcess()
})
afterAll(() => web.kill('SIGKILL'))
beforeEach(async () => {
  holder = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await holder.connect()
})
afterEach(() => holder.end())

/** Locks a row in a transaction that stays open, as a process frozen in the middle of one does. */
async function lock(table: 'account' | '"key"', column: string, id: number): Promise<void> {
  await holder.query('BEGIN')
  const { rowCount } = await holder.query(`SELECT 1 FROM ${table} WHERE ${column} = $1 FOR UPDATE`, [id])
  expect(rowCount).toBe(1)
}
const unlock = () => holder.query('ROLLBACK')

async function query(key: string, coin = 'bitcoin') {
  const res = await fetch(`${web.url}/api/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tool: 'crypto_get_prices', params: { coinIds: [coin] } }),
    signal: AbortSignal.timeout(120_000),
  })
  const { code, service } = (await res.json()) as { code?: string; service?: unknown }
  return { status: res.status, code, charged: service !== undefined, retryAfter: res.headers.get('retry-after') }
}

describe('an account whose row another transaction keeps locked', () => {
  it('holds up nobody else, and its own calls are served once the lock is gone', async () => {
    const slow = await makeCaller()
    const others = await Promise.all([makeCaller(), makeCaller(), makeCaller()])
    await lock('account', 'owner_id', slow.owner.id)
    let isWaiting = true
    const waiting = Promise.all([query(slow.key.key), query(slow.key.key)]).finally(() => {
      isWaiting = false
    })
    for (let round = 0; round < 10; round++) {
      for (const answer of await Promise.all(others.map(({ key }) => query(key.key)))) {
        expect(answer).toMatchObject({ status: 200, charged: true })
      }
    }
    expect(isWaiting).toBe(true)
    await unlock()
    for (const answer of await waiting) expect(answer).toMatchObject({ status: 200, charged: true })
  })

  it('holds up nobody else with the settlements of its calls either', async () => {
    const slow = await makeCaller()
    const other = await makeCaller(10_000)
    let isWaiting = true
    const waiting = query(slow.key.key, 'sandbox-slow').finally(() => {
      isWaiting = false
    })
    await pollUntil('its hold', async () => (await getBalance(slow.owner.id)).held === 3)
    await lock('account', 'owner_id', slow.owner.id)
    while (isWaiting) expect(await query(other.key.key)).toMatchObject({ status: 200, charged: true })
    for (let round = 0; round < 10; round++) expect(await query(other.key.key)).toMatchObject({ status: 200 })
    expect(await waiting).toMatchObject({ status: 200, charged: true })
    expect((await getBalance(slow.owner.id)).held).toBe(3)
    await unlock()
    await pollUntil('its settlement', async () => (await getBalance(slow.owner.id)).held === 0)
    expect(await chargedTo(slow.owner)).toBe(3)
  })

  it('gets 503 with Retry-After and no charge when the lock stays', async () => {
    const { owner, key } = await makeCaller()
    await lock('account', 'owner_id', owner.id)
    expect(await query(key.key)).toEqual({
      status: 503,
      code: 'unavailable',
      charged: false,
      retryAfter: expect.stringMatching(/^[1-9]\d*$/),
    })
    await unlock()
    await pollUntil('the owner is served again', async () => (await query(key.key)).status === 200)
    await pollUntil('nothing is held', async () => (await getBalance(owner.id)).held === 0)
  })
})

describe('a key whose row another transaction keeps locked', () => {
  it('still authenticates, at its first use too', async () => {
    const { owner } = await makeCaller()
    const key = await makeKey(owner)
    await lock('"key"', 'id', key.id)
    const asked = (secret: string) =>
      fetch(`${web.url}/api/v1/key`, {
        headers: { authorization: `Bearer ${secret}` },
        signal: AbortSignal.timeout(120_000),
      })
    expect((await asked(key.key)).status).toBe(200)
    const { rowCount } = await mainPool().query('SELECT 1 FROM key_use WHERE key_id = $1', [key.id])
    expect(rowCount).toBe(1)
    await unlock()
  })
})

describe('a counter whose row another transaction keeps locked', () => {
  it('holds up its own key and nobody else', async () => {
    const slow = await makeCaller()
    const other = await makeCaller()
    expect(await query(slow.key.key)).toMatchObject({ status: 200 })
    await holder.query('BEGIN')
    await holder.query('SELECT 1 FROM rate_window WHERE id = $1 FOR UPDATE', [`key:${slow.key.id}`])
    const waiting = query(slow.key.key)
    for (let round = 0; round < 5; round++) expect(await query(other.key.key)).toMatchObject({ status: 200 })
    await unlock()
    expect(await waiting).toMatchObject({ status: 200 })
  })
})
