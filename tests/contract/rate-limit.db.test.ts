import { describe, expect, it } from 'vitest'
import { mainPool } from '../../server/db'
import { rotateKey } from '../../server/keys/rotate'
import { callQuery, chargedTo, send, withSandbox } from '../support/api'
import { makeCaller, makeKey } from '../support/owners'

const sandbox = withSandbox()
const prices = { coinIds: ['bitcoin'] }
const look = (key: string) => send('/api/v1/key', { key })
const remaining = (answer: { headers: Headers }) => Number(answer.headers.get('x-ratelimit-remaining-requests'))

/** Moves the start of a key's window into the past. */
const age = (keyId: number, seconds: number) =>
  mainPool().query(`UPDATE rate_window SET started_at = started_at - make_interval(secs => $2) WHERE id = $1`, [
    `key:${keyId}`,
    seconds,
  ])
const countOf = async (keyId: number) =>
  (await mainPool().query<{ count: number }>('SELECT count FROM rate_window WHERE id = $1', [`key:${keyId}`])).rows[0]
    ?.count ?? 0

describe('every authenticated answer', () => {
  it('has the limit, what remains, and whole seconds until the window ends', async () => {
    const { key } = await makeCaller(1_000, { rpm: 5 })
    for (const left of [4, 3, 2]) {
      const { headers } = await look(key.key)
      expect(headers.get('x-ratelimit-limit-requests')).toBe('5')
      expect(headers.get('x-ratelimit-remaining-requests')).toBe(String(left))
      expect(headers.get('x-ratelimit-reset-requests')).toMatch(/^(60|5\d)$/)
    }
  })

  it('counts once, whatever it was: 400, 402, 403, 404, 413, 415 and 200', async () => {
    const { key } = await makeCaller(4, { rpm: 100, tools: ['crypto_get_prices'] })
    const asked = [
      await callQuery(key.key, 'crypto_get_prices', {}),
      await callQuery(key.key, 'crypto_get_prices', prices),
      await callQuery(key.key, 'crypto_get_prices', prices),
      await callQuery(key.key, 'crypto_get_market_data'),
      await send('/api/v1/usage/nothing', { key: key.key }),
      await send('/api/v1/query', { key: key.key, raw: 'x'.repeat(1_100_000) }),
      await send('/api/v1/query', { key: key.key, raw: 'x', headers: { 'content-type': 'text/plain' } }),
      await send('/api/v1/catalog', { key: key.key }),
      await send('/api/v1/openapi.json', { key: key.key }),
      await send('/api/v1/usage', { key: key.key }),
    ]
    expect(asked.map((a) => a.status)).toEqual([400, 200, 402, 403, 404, 413, 415, 200, 200, 200])
    expect(asked.map(remaining)).toEqual(asked.map((_, i) => 99 - i))
    expect(await countOf(key.id)).toBe(10)
  })

  it('excludes 404 and 405, which are returned before authentication', async () => {
    const { key } = await makeCaller()
    await send('/api/v1/nope', { key: key.key })
    await send('/api/v1/query', { key: key.key })
    expect(await countOf(key.id)).toBe(0)
  })
})

describe('429', () => {
  it('is returned for request N+1, with Retry-After in whole seconds, nothing billed and nothing run', async () => {
    const { owner, key } = await makeCaller(1_000, { rpm: 2 })
    await callQuery(key.key, 'crypto_get_prices', prices)
    await callQuery(key.key, 'crypto_get_prices', prices)
    const answer = await callQuery(key.key, 'crypto_get_prices', prices)
    expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited', error: expect.stringMatching(/\b2\b/) } })
    expect(answer.body).not.toHaveProperty('service')
    expect(answer.headers.get('retry-after')).toMatch(/^(60|5\d)$/)
    expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    expect(await chargedTo(owner)).toBe(6)
    expect(await sandbox.calls()).toBe(2)
  })

  it('does not count itself', async () => {
    const { key } = await makeCaller(1_000, { rpm: 2 })
    for (let i = 0; i < 6; i++) await look(key.key)
    expect(await countOf(key.id)).toBe(2)
  })

  it('is returned everywhere a key is sent', async () => {
    const { key } = await makeCaller(1_000, { rpm: 1 })
    await look(key.key)
    for (const path of ['/api/v1/key', '/api/v1/usage', '/api/v1/usage/x', '/api/v1/catalog', '/api/v1/openapi.json']) {
      expect(await send(path, { key: key.key }), path).toMatchObject({ status: 429 })
    }
    expect(await send('/api/v1/catalog')).toMatchObject({ status: 200 })
  })

  it('ends with the window, which starts with its first request', async () => {
    const { key } = await makeCaller(1_000, { rpm: 1 })
    await look(key.key)
    await age(key.id, 58)
    const late = await look(key.key)
    expect(late.status).toBe(429)
    expect(late.headers.get('retry-after')).toMatch(/^[12]$/)
    await age(key.id, 2)
    const fresh = await look(key.key)
    expect(fresh.status).toBe(200)
    expect(fresh.headers.get('x-ratelimit-reset-requests')).toMatch(/^(60|59)$/)
    expect(await look(key.key)).toMatchObject({ status: 429 })
  })

  it('lets exactly N of many concurrent requests through', async () => {
    const { key } = await makeCaller(1_000, { rpm: 10 })
    const answers = await Promise.all(Array.from({ length: 60 }, () => look(key.key)))
    expect(answers.filter((a) => a.status === 200)).toHaveLength(10)
    expect(answers.filter((a) => a.status === 429)).toHaveLength(50)
    const left = answers.filter((a) => a.status === 200).map(remaining)
    expect(left.sort((a, b) => b - a)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  })

  it('is shared by a key’s two secrets while they overlap, and survives rotation', async () => {
    const { owner, key } = await makeCaller(1_000, { rpm: 3 })
    await look(key.key)
    const fresh = await rotateKey(owner.id, key.id, 10)
    expect(remaining(await look(fresh.key))).toBe(1)
    const both = await Promise.all([key.key, fresh.key, key.key, fresh.key].map(look))
    expect(both.map((a) => a.status).sort()).toEqual([200, 429, 429, 429])
  })

  it('of one key does not affect another key', async () => {
    const { owner, key } = await makeCaller(1_000, { rpm: 1 })
    const other = await makeKey(owner, { rpm: 1 })
    await look(key.key)
    expect(await look(key.key)).toMatchObject({ status: 429 })
    expect(await look(other.key)).toMatchObject({ status: 200 })
  })
})

describe('GET /api/v1/key', () => {
  it('reports the same window as its headers', async () => {
    const { key } = await makeCaller(1_000, { rpm: 7 })
    const { headers, body } = await look(key.key)
    expect(body.rate).toEqual({
      limit: 7,
      remaining: 6,
      resetS: Number(headers.get('x-ratelimit-reset-requests')),
    })
  })
})
