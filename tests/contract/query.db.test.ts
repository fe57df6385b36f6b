import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { mainPool } from '../../server/db'
import { revokeKey } from '../../server/keys/revoke'
import { rotateKey } from '../../server/keys/rotate'
import { makeSecret } from '../../server/keys/secret'
import { isUuid } from '../../server/kit/id'
import { cryptoSettings } from '../../server/tools/crypto/settings'
import { callQuery, chargedTo, send, waitForCallsToEnd, withSandbox } from '../support/api'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import { untilLeft } from '../support/listener'
import { makeCaller, makeKey, makeOwner } from '../support/owners'

const sandbox = withSandbox()
const prices = { coinIds: ['bitcoin'] }
const asked = { tool: 'crypto_get_prices', params: prices }
const QUERY = '/api/v1/query'
const MIB = 1024 * 1024

describe('200', () => {
  it('returns the tool’s JSON with the billing block, charges the ledger and writes a receipt', async () => {
    const { owner, key } = await makeCaller()
    const answer = await callQuery(key.key, 'crypto_get_prices', prices)
    expect(answer).toMatchObject({ status: 200, body: { service: { credits_charged: 3 } } })
    expect(answer.body.rows).toHaveLength(1)
    expect(await chargedTo(owner)).toBe(3)
    const receipt = await send(`/api/v1/usage/${answer.headers.get('x-request-id')}`, { key: key.key })
    expect(receipt.body).toMatchObject({
      what: 'crypto_get_prices',
      status: 'ok',
      credits: { held: 3, charged: 3, released: 0 },
    })
    expect(await readOwnerMoney(owner)).toEqual({ available: 997, held: 0, charged: 3, receipts: 1, holds: 0 })
  })

  it('has a request id and the rate limit headers, and is not cacheable', async () => {
    const { key } = await makeCaller()
    const { headers } = await callQuery(key.key, 'crypto_get_prices', prices)
    expect(isUuid(headers.get('x-request-id') ?? '')).toBe(true)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-ratelimit-limit-requests')).toBe('10000')
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('9999')
    expect(headers.get('x-ratelimit-reset-requests')).toMatch(/^\d+$/)
  })

  it('accepts absent params, when the tool needs none', async () => {
    const { owner, key } = await makeCaller()
    const answer = await send(QUERY, { key: key.key, body: { tool: 'crypto_get_market_data' } })
    expect(answer).toMatchObject({ status: 200, body: { service: { credits_charged: 5 } } })
    expect(await chargedTo(owner)).toBe(5)
  })

  it.each([
    ['x-api-key alone', (key: string) => ({ 'x-api-key': key })],
    ['bearer in lower case', (key: string) => ({ authorization: `bearer ${key}` })],
    [
      'both headers, of which Authorization counts',
      (key: string) => ({ authorization: `Bearer ${key}`, 'x-api-key': 'x' }),
    ],
  ])('accepts a key in %s', async (_name, headersOf) => {
    const { key } = await makeCaller()
    expect(await send(QUERY, { headers: headersOf(key.key), body: asked })).toMatchObject({ status: 200 })
  })

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/problem+json'])(
    'takes %s',
    async (type) => {
      const { key } = await makeCaller()
      expect(await send(QUERY, { key: key.key, body: asked, headers: { 'content-type': type } })).toMatchObject({
        status: 200,
      })
    },
  )

  it('takes a body of exactly 1 MiB', async () => {
    const { key } = await makeCaller()
    const raw = JSON.stringify(asked).padEnd(MIB)
    expect(await send(QUERY, { key: key.key, raw })).toMatchObject({ status: 200 })
  })

  it('accepts exactly as many concurrent calls as the credits allow', async () => {
    const { owner, key } = await makeCaller(30)
    const answers = await Promise.all(Array.from({ length: 60 }, () => callQuery(key.key, 'crypto_get_prices', prices)))
    expect(answers.map((a) => a.status).sort()).toEqual([...Array(10).fill(200), ...Array(50).fill(402)])
    expect(await sandbox.calls()).toBe(10)
    expect(await readOwnerMoney(owner)).toEqual({ available: 0, held: 0, charged: 30, receipts: 10, holds: 0 })
  })
})

describe('400', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const body = (text: string) => text
  it.each([
    ['an empty body', ''],
    ['spaces', '   '],
    ['broken JSON', '{"tool": "crypto_get_prices", '],
    ['something after the JSON', '{"tool": "crypto_get_prices"} x'],
    ['single quotes', "{'tool': 'crypto_get_prices'}"],
    ['an invalid number', '{"tool": "crypto_get_prices", "params": NaN}'],
    ['an array', JSON.stringify([asked])],
    ['an empty array', '[]'],
    ['a string', '"crypto_get_prices"'],
    ['a number', '1'],
    ['null', 'null'],
    ['no tool', '{"params": {}}'],
    ['an empty object', '{}'],
    ['a tool that is not a string', '{"tool": 1, "params": {}}'],
    ['a list of tools', '{"tool": ["crypto_get_prices"], "params": {}}'],
    ['params that are an array', '{"tool": "crypto_get_prices", "params": []}'],
    ['params that are a string', '{"tool": "crypto_get_prices", "params": "{}"}'],
    ['params that are null', '{"tool": "crypto_get_prices", "params": null}'],
    ['an unknown top-level field', JSON.stringify({ ...asked, apiKey: 'x' })],
    ['service as a top-level field', JSON.stringify({ ...asked, service: {} })],
    [
      '__proto__ as a top-level field',
      '{"tool": "crypto_get_prices", "params": {"coinIds": ["bitcoin"]}, "__proto__": {}}',
    ],
    ['an unknown parameter', '{"tool": "crypto_get_prices", "params": {"coinIds": ["bitcoin"], "limit": 1}}'],
    [
      '__proto__ as a parameter',
      '{"tool": "crypto_get_prices", "params": {"coinIds": ["bitcoin"], "__proto__": {"x": 1}}}',
    ],
    [
      'constructor as a parameter',
      '{"tool": "crypto_get_prices", "params": {"coinIds": ["bitcoin"], "constructor": {}}}',
    ],
    [
      'parameters inherited through __proto__',
      '{"tool": "crypto_get_prices", "params": {"__proto__": {"coinIds": ["bitcoin"]}}}',
    ],
    ['a missing parameter', '{"tool": "crypto_get_prices", "params": {}}'],
    ['a text where a list belongs', '{"tool": "crypto_get_prices", "params": {"coinIds": "bitcoin"}}'],
    [
      'a text where a boolean belongs',
      '{"tool": "crypto_get_prices", "params": {"coinIds": ["bitcoin"], "includeMarketCap": "false"}}',
    ],
    ['a text where a number belongs', '{"tool": "crypto_get_market_data", "params": {"perPage": "10"}}'],
    ['a number above its range', '{"tool": "crypto_get_market_data", "params": {"perPage": 251}}'],
    ['a number below its range', '{"tool": "crypto_get_market_data", "params": {"page": 0}}'],
    ['half a page', '{"tool": "crypto_get_market_data", "params": {"perPage": 1.5}}'],
    ['deep nesting in a parameter', `{"tool": "crypto_get_prices", "params": {"coinIds": ${nested(100_000)}}}`],
    ['deep nesting at the top', nested(200_000)],
  ])('is returned for %s: nothing runs, nothing is billed', async (_name, raw) => {
    const { owner, key } = await makeCaller()
    const answer = await send(QUERY, {
      key: key.key,
      raw: body(raw),
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', error: expect.stringMatching(/\S/) } })
    expect(answer.body).not.toHaveProperty('service')
    expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('9999')
    expect(await sandbox.calls()).toBe(0)
    await expectUntouched(owner)
  })

  it('is returned for bytes that are not UTF-8', async () => {
    const { owner, key } = await makeCaller()
    const raw = Buffer.concat([
      Buffer.from('{"tool": "crypto_get_prices", "params": {"coinIds": ["'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"]}}'),
    ])
    expect(await send(QUERY, { key: key.key, raw })).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    await expectUntouched(owner)
  })

  it('names each wrong parameter', async () => {
    const { key } = await makeCaller()
    const { body } = await callQuery(key.key, 'crypto_get_prices', {
      coinIds: ['bitcoin'],
      currencies: [1],
      nope: true,
    })
    const paths = (body.issues as { path: string; message: string }[]).map((i) => i.path)
    expect(paths).toContain('params.currencies.0')
    expect(JSON.stringify(body.issues)).toContain('nope')
  })

  it.each(['no_such_tool', '', '__proto__', 'constructor', 'toString', 'CRYPTO_GET_PRICES', 'crypto_get_prices '])(
    'is unknown_tool for %j, and nothing is billed',
    async (tool) => {
      const { owner, key } = await makeCaller()
      const answer = await callQuery(key.key, tool, {})
      expect(answer).toMatchObject({ status: 400, body: { code: 'unknown_tool' } })
      expect(answer.body).not.toHaveProperty('service')
      await expectUntouched(owner)
    },
  )

  it.each([
    ['empty', ''],
    ['with a space', 'a b'],
    ['too long', 'x'.repeat(256)],
    ['not ASCII', 'é'],
  ])('is returned for an Idempotency-Key that is %s', async (_name, token) => {
    const { owner, key } = await makeCaller()
    const answer = await callQuery(key.key, 'crypto_get_prices', prices, { 'idempotency-key': token })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    await expectUntouched(owner)
  })

  it('comes before 403 and before 402', async () => {
    const { key } = await makeCaller(0, { tools: [] })
    expect(await callQuery(key.key, 'crypto_get_prices', { coinIds: [] })).toMatchObject({ status: 400 })
    expect(await callQuery(key.key, 'no_such_tool', {})).toMatchObject({ status: 400, body: { code: 'unknown_tool' } })
  })
})

describe('401', () => {
  const refusedTo = async (headers: Record<string, string>) => {
    const answer = await send(QUERY, { headers, body: asked })
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    expect(answer.body).not.toHaveProperty('service')
    expect(answer.headers.get('x-request-id')).toMatch(/\S/)
    expect(answer.headers.has('x-ratelimit-limit-requests')).toBe(false)
    expect(await sandbox.calls()).toBe(0)
  }

  it('is returned without a key', () => refusedTo({}))

  it.each([
    ['another scheme', (key: string) => ({ authorization: `Basic ${key}` })],
    ['the key without a scheme', (key: string) => ({ authorization: key })],
    ['an empty bearer', () => ({ authorization: 'Bearer ' })],
    ['two values', (key: string) => ({ authorization: `Bearer ${key} ${key}` })],
    [
      'a wrong Authorization beside a good x-api-key',
      (key: string) => ({ authorization: 'Bearer x', 'x-api-key': key }),
    ],
    ['a session cookie', (key: string) => ({ cookie: `authjs.session-token=${key}` })],
    ['a key that is not ours', () => ({ authorization: `Bearer ${makeSecret()}` })],
    [
      'a key with a wrong checksum',
      (key: string) => ({ authorization: `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}` }),
    ],
    ['a key in other case', (key: string) => ({ authorization: `Bearer ${key.toUpperCase()}` })],
  ])('is returned for %s', async (_name, headersOf) => {
    const { owner, key } = await makeCaller()
    await refusedTo(headersOf(key.key))
    await expectUntouched(owner)
  })

  it('is returned for a revoked key, also one that was just used', async () => {
    const { owner, key } = await makeCaller()
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({ status: 200 })
    await revokeKey(owner.id, key.id)
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({ status: 401 })
    expect(await chargedTo(owner)).toBe(3)
  })

  it('is returned for an expired key', async () => {
    const { owner, key } = await makeCaller()
    await mainPool().query(`UPDATE "key" SET expires_at = now() - interval '1 second' WHERE id = $1`, [key.id])
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({
      status: 401,
      body: { error: expect.stringMatching(/expired/) },
    })
    await expectUntouched(owner)
  })

  it('is returned for an old secret once its overlap is over, and not before', async () => {
    const { owner, key } = await makeCaller()
    const fresh = await rotateKey(owner.id, key.id, 5)
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({ status: 200 })
    await mainPool().query(
      `UPDATE key_secret SET expires_at = now() - interval '1 second' WHERE key_id = $1 AND expires_at IS NOT NULL`,
      [key.id],
    )
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({ status: 401 })
    expect(await callQuery(fresh.key, 'crypto_get_prices', prices)).toMatchObject({ status: 200 })
  })

  it('comes before 415, 413 and 400', async () => {
    const raw = 'x'.repeat(2 * MIB)
    expect(await send(QUERY, { key: makeSecret(), raw, headers: { 'content-type': 'text/plain' } })).toMatchObject({
      status: 401,
    })
    expect(await send(QUERY, { raw })).toMatchObject({ status: 401 })
  })
})

describe('402', () => {
  it('names the balance when that is short: nothing runs, no service, no receipt, no hold', async () => {
    const { owner, key } = await makeCaller(2)
    const answer = await callQuery(key.key, 'crypto_get_prices', prices)
    expect(answer).toMatchObject({ status: 402, body: { code: 'insufficient_credits', limitSource: 'balance' } })
    expect(answer.body).not.toHaveProperty('service')
    expect(await sandbox.calls()).toBe(0)
    await expectUntouched(owner, 2)
  })

  it('names the key’s budget when that ends first', async () => {
    const { owner, key } = await makeCaller(1_000, { budget: 4 })
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({ status: 200 })
    const answer = await callQuery(key.key, 'crypto_get_prices', prices)
    expect(answer).toMatchObject({ status: 402, body: { limitSource: 'key_budget' } })
    expect(answer.body).not.toHaveProperty('service')
    expect(await chargedTo(owner)).toBe(3)
  })

  it('names the balance when a larger budget is left', async () => {
    const { key } = await makeCaller(2, { budget: 1_000 })
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({
      status: 402,
      body: { limitSource: 'balance' },
    })
  })

  it('is returned for an owner who never had credits', async () => {
    const { key } = await makeCaller(0)
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({
      status: 402,
      body: { limitSource: 'balance' },
    })
  })

  it('is never exceeded by concurrent calls under a budget', async () => {
    const { owner, key } = await makeCaller(1_000, { budget: 10 })
    const answers = await Promise.all(Array.from({ length: 40 }, () => callQuery(key.key, 'crypto_get_prices', prices)))
    expect(answers.filter((a) => a.status === 200)).toHaveLength(3)
    expect(answers.filter((a) => a.status === 402 && a.body.limitSource === 'key_budget')).toHaveLength(37)
    expect(await chargedTo(owner)).toBe(9)
  })
})

describe('403', () => {
  it('is returned for a tool the key may not call, and nothing is billed', async () => {
    const { owner, key } = await makeCaller(1_000, { tools: ['crypto_get_market_data'] })
    const answer = await callQuery(key.key, 'crypto_get_prices', prices)
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(answer.body).not.toHaveProperty('service')
    expect(await sandbox.calls()).toBe(0)
    await expectUntouched(owner)
    expect(await callQuery(key.key, 'crypto_get_market_data')).toMatchObject({ status: 200 })
  })

  it('is returned for every tool to a key without tools', async () => {
    const { key } = await makeCaller(1_000, { tools: [] })
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({ status: 403 })
  })

  it('comes before 402', async () => {
    const { key } = await makeCaller(0, { tools: [] })
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({ status: 403 })
  })
})

describe('404', () => {
  it.each(['/api/v1/nope', '/api/v1/query/x', '/api/v1/', '/api/v1/quer%79', '/api/v2/query'.replace('v2', 'v1/v2')])(
    'is answered at %s, also without a key and whatever the body',
    async (path) => {
      const answer = await send(path, { raw: 'x'.repeat(2 * MIB) })
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(answer.headers.get('x-request-id')).toMatch(/\S/)
    },
  )
})

describe('405', () => {
  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'is returned for %s with what is allowed, before the key is looked at',
    async (method) => {
      const answer = await send(QUERY, { method, key: 'nonsense' })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('POST')
      expect(answer.headers.get('x-request-id')).toMatch(/\S/)
    },
  )
})

describe('413', () => {
  it('is returned for a Content-Length over 1 MiB without reading', async () => {
    const { owner, key } = await makeCaller()
    const answer = await send(QUERY, { key: key.key, raw: '{', headers: { 'content-length': String(MIB + 1) } })
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
    await expectUntouched(owner)
  })

  it('is returned for a chunked body as soon as it passes 1 MiB', async () => {
    const { owner, key } = await makeCaller()
    let cancelled = false
    const raw = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(64 * 1024).fill(32))
      },
      cancel() {
        cancelled = true
      },
    })
    const answer = await send(QUERY, { key: key.key, raw })
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
    expect(answer.body).not.toHaveProperty('service')
    expect(cancelled).toBe(true)
    await expectUntouched(owner)
  })

  it('comes before 400', async () => {
    const { key } = await makeCaller()
    expect(await send(QUERY, { key: key.key, raw: '{'.repeat(MIB + 1) })).toMatchObject({ status: 413 })
  })
})

describe('415', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'text/json',
    'application/jsonx',
    '',
  ])('is returned for %j, before 413 and 400', async (type) => {
    const { owner, key } = await makeCaller()
    const raw = new TextEncoder().encode('x'.repeat(2 * MIB))
    const answer = await send(QUERY, { key: key.key, raw, headers: { 'content-type': type } })
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
    await expectUntouched(owner)
  })

  it('is returned for a compressed body, with what to change', async () => {
    const { owner, key } = await makeCaller()
    const raw = gzipSync(JSON.stringify(asked))
    const answer = await send(QUERY, { key: key.key, raw, headers: { 'content-encoding': 'gzip' } })
    expect(answer).toMatchObject({ status: 415, body: { error: expect.stringContaining('Content-Encoding') } })
    await expectUntouched(owner)
  })
})

describe('429', () => {
  it('is returned before 415, 413, 400, 403 and 402, and bills nothing', async () => {
    const owner = await makeOwner(0)
    const key = await makeKey(owner, { rpm: 1, tools: [] })
    await send('/api/v1/key', { key: key.key })
    for (const raw of ['', 'x'.repeat(2 * MIB), JSON.stringify(asked)]) {
      const answer = await send(QUERY, { key: key.key, raw, method: 'POST', headers: { 'content-type': 'text/plain' } })
      expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
      expect(answer.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/)
      expect(answer.body).not.toHaveProperty('service')
    }
    await expectUntouched(owner, 0)
  })
})

describe('502', () => {
  const base = cryptoSettings().COINGECKO_BASE_URL
  afterEach(() => {
    Object.assign(cryptoSettings(), { COINGECKO_BASE_URL: base })
  })

  it.each([
    ['answers with an error', 'sandbox-500'],
    ['limits how often it is called', 'sandbox-429'],
    ['answers with what is not JSON', 'sandbox-html'],
  ])('charges the price when the provider received the request and %s', async (_name, id) => {
    const { owner, key } = await makeCaller()
    const answer = await callQuery(key.key, 'crypto_get_prices', { coinIds: [id] })
    expect(answer).toMatchObject({ status: 502, body: { code: 'upstream_error', service: { credits_charged: 3 } } })
    expect(await readOwnerMoney(owner)).toEqual({ available: 997, held: 0, charged: 3, receipts: 1, holds: 0 })
    const receipt = await send(`/api/v1/usage/${answer.headers.get('x-request-id')}`, { key: key.key })
    expect(receipt.body).toMatchObject({
      status: 'failed',
      credits: { held: 3, charged: 3, released: 0 },
      detail: { error: answer.body.error },
    })
  })

  it('charges 0, and says so, when the provider was never reached', async () => {
    Object.assign(cryptoSettings(), { COINGECKO_BASE_URL: 'http://127.0.0.1:1' })
    const { owner, key } = await makeCaller()
    const answer = await callQuery(key.key, 'crypto_get_prices', prices)
    expect(answer).toMatchObject({ status: 502, body: { code: 'upstream_error', service: { credits_charged: 0 } } })
    expect(await readOwnerMoney(owner)).toEqual({ available: 1_000, held: 0, charged: 0, receipts: 1, holds: 0 })
    const receipt = await send(`/api/v1/usage/${answer.headers.get('x-request-id')}`, { key: key.key })
    expect(receipt.body).toMatchObject({ status: 'failed', credits: { held: 3, charged: 0, released: 3 } })
  })

  it('reveals neither the provider’s address nor its error text', async () => {
    Object.assign(cryptoSettings(), { COINGECKO_BASE_URL: 'http://127.0.0.1:1' })
    const { key } = await makeCaller()
    const { text } = await callQuery(key.key, 'crypto_get_prices', prices)
    expect(text).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|coingecko/i)
  })
})

describe('a client that disconnects', () => {
  it('while the provider works: the call continues to its end and is charged', async () => {
    const { owner, key } = await makeCaller()
    const gone = new AbortController()
    const call = send(QUERY, {
      key: key.key,
      body: { tool: 'crypto_get_prices', params: { coinIds: ['sandbox-slow', 'bitcoin'] } },
      signal: gone.signal,
    })
    await expect.poll(sandbox.calls).toBe(1)
    await Promise.all([expect(call).rejects.toThrow(), untilLeft(gone)])
    await sandbox.hurry()
    await waitForCallsToEnd()
    expect(await readOwnerMoney(owner)).toEqual({ available: 997, held: 0, charged: 3, receipts: 1, holds: 0 })
    const { body } = await send('/api/v1/usage', { key: key.key })
    expect(body.rows).toMatchObject([{ status: 'ok' }])
  })
})
