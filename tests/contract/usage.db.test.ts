import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { mainPool } from '../../server/db'
import { changeKey } from '../../server/keys/change'
import { uuidv7 } from '../../server/kit/id'
import { callQuery, send, type TestResponse, withSandbox } from '../support/api'
import { takeHold } from '../support/hold'
import { moveCall } from '../support/ledger-chain'
import { makeCaller, makeKey, makeOwner, type TestOwner } from '../support/owners'
import { settleById, voidHoldById } from '../support/settle'

withSandbox()
const prices = { coinIds: ['bitcoin'] }
type Row = {
  requestId: string
  at: string
  what: string
  status: string
  keyId: number | null
  credits: { charged: number }
}

const usage = (key: string, query = '') => send(`/api/v1/usage${query}`, { key })
const rowsOf = ({ body }: TestResponse) => body.rows as Row[]
const idsOf = (answer: TestResponse) => rowsOf(answer).map((r) => r.requestId)

/** A finished call of an owner, at a time; answers its id. */
async function receipt(owner: TestOwner, at: string, given: Parameters<typeof takeHold>[2] = {}): Promise<string> {
  const id = await takeHold(owner, 1, given)
  await settleById({ id, actual: 1n, status: 'ok' })
  await moveCall(id, new Date(at))
  return id
}

describe('GET /api/v1/usage 200', () => {
  it('lists nothing for an owner without calls', async () => {
    const { key } = await makeCaller()
    expect((await usage(key.key)).body).toEqual({ rows: [], nextCursor: null })
  })

  it('lists calls newest first, with what was held, charged and released, and why', async () => {
    const { key } = await makeCaller()
    const ok = await callQuery(key.key, 'crypto_get_prices', prices)
    const failed = await callQuery(key.key, 'crypto_get_prices', { coinIds: ['sandbox-html'] })
    const answer = await usage(key.key)
    expect(idsOf(answer)).toEqual([failed, ok].map((a) => a.headers.get('x-request-id')))
    expect(rowsOf(answer)[1]).toEqual({
      requestId: ok.headers.get('x-request-id'),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      keyId: key.id,
      keyName: 'test',
      jobId: null,
      customer: null,
      channel: 'rest',
      product: 'tool',
      what: 'crypto_get_prices',
      status: 'ok',
      credits: { held: 3, charged: 3, released: 0 },
      detail: { durationMs: expect.any(Number) },
    })
    expect(rowsOf(answer)[0]).toMatchObject({ status: 'failed', detail: { error: failed.body.error } })
    expect(answer.body).not.toHaveProperty('service')
  })

  it('lists no refused call', async () => {
    const { key } = await makeCaller(0, { tools: ['crypto_get_prices'] })
    await callQuery(key.key, 'crypto_get_prices', prices)
    await callQuery(key.key, 'crypto_get_prices', {})
    await callQuery(key.key, 'crypto_get_market_data')
    expect(rowsOf(await usage(key.key))).toEqual([])
  })

  it('adds up to what was charged', async () => {
    const { owner, key } = await makeCaller()
    await Promise.all(Array.from({ length: 5 }, () => callQuery(key.key, 'crypto_get_prices', prices)))
    const sum = rowsOf(await usage(key.key)).reduce((total, row) => total + row.credits.charged, 0)
    const { rows } = await mainPool().query('SELECT 1000 - available::int AS spent FROM account WHERE owner_id = $1', [
      owner.id,
    ])
    expect(sum).toBe(rows[0].spent)
  })

  it('shows calls of all the owner’s keys, and of no other owner', async () => {
    const { owner, key } = await makeCaller()
    const second = await makeKey(owner)
    const other = await makeCaller()
    await callQuery(second.key, 'crypto_get_prices', prices)
    await callQuery(other.key.key, 'crypto_get_prices', prices)
    expect(rowsOf(await usage(key.key)).map((r) => r.keyId)).toEqual([second.id])
    expect(rowsOf(await usage(key.key, `?keyId=${other.key.id}`))).toEqual([])
  })

  it('shows a key by the name it has now', async () => {
    const { owner, key } = await makeCaller()
    await callQuery(key.key, 'crypto_get_prices', prices)
    await changeKey(owner.id, key.id, { name: 'renamed' })
    expect(rowsOf(await usage(key.key))[0]).toMatchObject({ keyName: 'renamed' })
  })

  it('has pages that join without gap or double, also where times are equal and new calls come in', async () => {
    const { owner, key } = await makeCaller()
    const ids: string[] = []
    for (let i = 0; i < 7; i++)
      ids.push(await receipt(owner, i < 4 ? '2026-03-01T00:00:00Z' : `2026-03-02T00:00:0${i}Z`))
    const expected = [...ids.slice(4).reverse(), ...ids.slice(0, 4).sort().reverse()]
    const seen: string[] = []
    let cursor = ''
    for (let page = 0; page < 10; page++) {
      const answer = await usage(key.key, `?limit=2${cursor}`)
      seen.push(...idsOf(answer))
      if (answer.body.nextCursor === null) break
      cursor = `&cursor=${answer.body.nextCursor}`
      await receipt(owner, '2026-03-03T00:00:00Z')
    }
    expect(seen).toEqual(expected)
  })

  it('has no next cursor on a last page that is exactly full', async () => {
    const { owner, key } = await makeCaller()
    for (let i = 0; i < 4; i++) await receipt(owner, `2026-03-01T00:00:0${i}Z`)
    const first = await usage(key.key, '?limit=2')
    const second = await usage(key.key, `?limit=2&cursor=${first.body.nextCursor}`)
    expect([rowsOf(first).length, rowsOf(second).length, second.body.nextCursor]).toEqual([2, 2, null])
  })

  it('has 20 rows a page by default, 100 at most', async () => {
    const { owner, key } = await makeCaller()
    await Promise.all(Array.from({ length: 101 }, () => takeHold(owner, 1).then((id) => voidHoldById(id))))
    expect(rowsOf(await usage(key.key))).toHaveLength(20)
    expect(rowsOf(await usage(key.key, '?limit=100'))).toHaveLength(100)
    expect(rowsOf(await usage(key.key, '?limit=1'))).toHaveLength(1)
  })

  it('takes another owner’s cursor as a position only: it shows nothing of theirs', async () => {
    const other = await makeCaller()
    for (let i = 0; i < 2; i++) await receipt(other.owner, `2026-03-0${i + 1}T00:00:00Z`)
    const { body } = await usage(other.key.key, '?limit=1')
    const { owner, key } = await makeCaller()
    const mine = await receipt(owner, '2026-01-01T00:00:00Z')
    expect(idsOf(await usage(key.key, `?cursor=${body.nextCursor}`))).toEqual([mine])
  })
})

describe('GET /api/v1/usage filters', () => {
  it('by key, tool, status and product, together and alone', async () => {
    const { owner, key } = await makeCaller()
    const second = await makeKey(owner)
    const a = await receipt(owner, '2026-03-01T00:00:00Z', { keyId: key.id, what: 'a' })
    const b = await receipt(owner, '2026-03-02T00:00:00Z', { keyId: second.id, what: 'b' })
    const c = await receipt(owner, '2026-03-03T00:00:00Z', {
      keyId: second.id,
      what: 'c',
      product: 'chat',
      channel: 'chat',
    })
    const d = await takeHold(owner, 1, { what: 'd' })
    await voidHoldById(d)
    expect(idsOf(await usage(key.key, `?keyId=${second.id}`))).toEqual([c, b])
    expect(idsOf(await usage(key.key, '?what=a'))).toEqual([a])
    expect(idsOf(await usage(key.key, '?status=void'))).toEqual([d])
    expect(idsOf(await usage(key.key, '?product=chat'))).toEqual([c])
    expect(idsOf(await usage(key.key, `?keyId=${second.id}&product=tool&status=ok&what=b`))).toEqual([b])
    expect(idsOf(await usage(key.key, '?what=nothing'))).toEqual([])
    expect(idsOf(await usage(key.key, `?jobId=${randomUUID()}`))).toEqual([])
    expect((await usage(key.key, '?jobId=none')).status).toBe(400)
  })

  it('by day, both days included, in UTC', async () => {
    const { owner, key } = await makeCaller()
    const times = [
      '2026-03-01T23:59:59.999Z',
      '2026-03-02T00:00:00Z',
      '2026-03-03T23:59:59.999Z',
      '2026-03-04T00:00:00Z',
    ]
    const [before, first, last, after] = await Promise.all(times.map((at) => receipt(owner, at)))
    expect(idsOf(await usage(key.key, '?from=2026-03-02&to=2026-03-03'))).toEqual([last, first])
    expect(idsOf(await usage(key.key, '?from=2026-03-04'))).toEqual([after])
    expect(idsOf(await usage(key.key, '?to=2026-03-01'))).toEqual([before])
    expect(idsOf(await usage(key.key, '?from=2026-03-03&to=2026-03-02'))).toEqual([])
  })

  it('hold across pages', async () => {
    const { owner, key } = await makeCaller()
    const wanted: string[] = []
    for (let i = 0; i < 6; i++) {
      const id = await receipt(owner, `2026-03-01T00:00:0${i}Z`, { what: i % 2 ? 'odd' : 'even' })
      if (i % 2) wanted.unshift(id)
    }
    const first = await usage(key.key, '?what=odd&limit=2')
    const second = await usage(key.key, `?what=odd&limit=2&cursor=${first.body.nextCursor}`)
    expect([...idsOf(first), ...idsOf(second)]).toEqual(wanted)
    expect(second.body.nextCursor).toBeNull()
  })
})

const cursor = (text: string) => Buffer.from(text).toString('base64url')

describe('GET /api/v1/usage 400', () => {
  it.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=ten',
    'limit=',
    'limit=1&limit=2',
    'cursor=',
    'cursor=nonsense',
    `cursor=${cursor('2026-03-01T00:00:00.000Z 7')}`,
    `cursor=${cursor(`-271821-04-20T00:00:00.000Z ${uuidv7()}`)}`,
    `cursor=${'a'.repeat(300)}`,
    'keyId=x',
    'keyId=1.5',
    'keyId=3000000000',
    'keyId=99999999999999999999',
    'status=done',
    'product=video',
    'from=yesterday',
    'from=2026-02-30',
    'from=0000-01-01',
    'to=2026-03-01T00:00:00Z',
    'what=%00',
    `what=${'a'.repeat(201)}`,
    'ownerId=1',
    'unknown=1',
    '__proto__=1',
  ])('is returned for ?%s', async (query) => {
    const { key } = await makeCaller()
    const answer = await usage(key.key, `?${query}`)
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', issues: [{ message: expect.any(String) }] },
    })
  })

  it('is not returned for the last possible day', async () => {
    const { key } = await makeCaller()
    expect(await usage(key.key, '?from=9999-12-31&to=9999-12-31')).toMatchObject({ status: 200 })
  })
})

describe('GET /api/v1/usage/{requestId}', () => {
  it('200 is the receipt the list shows', async () => {
    const { key } = await makeCaller()
    await callQuery(key.key, 'crypto_get_prices', prices)
    const [row] = rowsOf(await usage(key.key))
    expect((await usage(key.key, `/${row?.requestId}`)).body).toEqual(row)
    expect(await usage(key.key, `/${row?.requestId.toUpperCase()}`)).toMatchObject({ status: 200 })
  })

  it('200 also for another key of the same owner', async () => {
    const { owner, key } = await makeCaller()
    const id = await receipt(owner, '2026-03-01T00:00:00Z', { keyId: key.id })
    const second = await makeKey(owner)
    expect(await usage(second.key, `/${id}`)).toMatchObject({ status: 200 })
  })

  it('404 for another owner’s, with the same text as for an unknown one', async () => {
    const theirs = await receipt(await makeOwner(), '2026-03-01T00:00:00Z')
    const { key } = await makeCaller()
    const [other, none] = [await usage(key.key, `/${theirs}`), await usage(key.key, `/${uuidv7()}`)]
    expect(other).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(other.body).toEqual(none.body)
  })

  it('404 while the call is in progress', async () => {
    const { owner, key } = await makeCaller()
    const id = await takeHold(owner, 1)
    expect(await usage(key.key, `/${id}`)).toMatchObject({ status: 404 })
    await voidHoldById(id)
    expect(await usage(key.key, `/${id}`)).toMatchObject({ status: 200 })
  })

  it.each(['x', '1', '%00', "'%20or%201=1", '..%2fkey', 'null'])('404 for %s', async (id) => {
    const { key } = await makeCaller()
    expect(await usage(key.key, `/${id}`)).toMatchObject({ status: 404 })
  })

  it('400 for a path that cannot be decoded', async () => {
    const { key } = await makeCaller()
    expect(await usage(key.key, '/%zz')).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  it('400 for an unknown parameter', async () => {
    const { key } = await makeCaller()
    expect(await usage(key.key, `/${uuidv7()}?x=1`)).toMatchObject({ status: 400 })
  })
})

describe('401', () => {
  it('is returned without a key, before anything else is checked', async () => {
    for (const path of ['', '?limit=0', '/x', '/%zz']) {
      expect(await send(`/api/v1/usage${path}`), path).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    }
  })
})

describe('405', () => {
  it.each(['/api/v1/usage', '/api/v1/usage/x'])('is returned for every method but GET and HEAD at %s', async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await send(path, { method })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('GET')
    }
  })
})
