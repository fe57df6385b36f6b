import { afterEach, describe, expect, it } from 'vitest'
import { grantCredits } from '../../server/credits/grant'
import { sweepHolds } from '../../server/credits/sweep'
import { mainPool } from '../../server/db'
import { revokeKey } from '../../server/keys/revoke'
import { cryptoSettings } from '../../server/tools/crypto/settings'
import { callQuery, chargedTo, send, withSandbox } from '../support/api'
import { takeHold } from '../support/hold'
import { expireHolder, readOwnerMoney } from '../support/ledger'
import { makeCaller, makeKey } from '../support/owners'

const sandbox = withSandbox()
const prices = { coinIds: ['bitcoin'] }
const withKey = (token: string) => ({ 'idempotency-key': token })
const ask = (key: string, token: string, params: unknown = prices) =>
  callQuery(key, 'crypto_get_prices', params, withKey(token))

describe('200', () => {
  it('is returned again as it was, marked as a replay, with no second charge, call or receipt', async () => {
    const { owner, key } = await makeCaller()
    const first = await ask(key.key, 'a')
    const again = await ask(key.key, 'a')
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect(await sandbox.calls()).toBe(1)
    expect(await readOwnerMoney(owner)).toEqual({ available: 997, held: 0, charged: 3, receipts: 1, holds: 0 })
  })

  it('is returned again when no credits are left', async () => {
    const { owner, key } = await makeCaller(3)
    await ask(key.key, 'a')
    expect(await ask(key.key, 'a')).toMatchObject({ status: 200, body: { service: { credits_charged: 3 } } })
    expect(await ask(key.key, 'b')).toMatchObject({ status: 402 })
    expect(await chargedTo(owner)).toBe(3)
  })

  it('is a separate call for another key of the same owner', async () => {
    const { owner, key } = await makeCaller()
    const other = await makeKey(owner)
    await ask(key.key, 'a')
    const theirs = await ask(other.key, 'a', { coinIds: ['ethereum'] })
    expect(theirs.status).toBe(200)
    expect(theirs.headers.has('idempotent-replayed')).toBe(false)
    expect(await chargedTo(owner)).toBe(6)
  })

  it('is a new call after 24 hours, and the old response until then', async () => {
    const { owner, key } = await makeCaller()
    await ask(key.key, 'a')
    const age = (text: string) =>
      mainPool().query('UPDATE idempotency SET created_at = now() - $2::interval WHERE key_id = $1', [key.id, text])
    await age('23 hours 59 minutes')
    expect((await ask(key.key, 'a')).headers.get('idempotent-replayed')).toBe('true')
    await age('24 hours 1 minute')
    const fresh = await ask(key.key, 'a', { coinIds: ['ethereum'] })
    expect(fresh.status).toBe(200)
    expect(fresh.headers.has('idempotent-replayed')).toBe(false)
    expect(await chargedTo(owner)).toBe(6)
    expect((await ask(key.key, 'a', { coinIds: ['ethereum'] })).headers.get('idempotent-replayed')).toBe('true')
  })

  it('is found again under a rotated secret, because the key is the same', async () => {
    const { owner, key } = await makeCaller()
    await ask(key.key, 'a')
    const { rotateKey } = await import('../../server/keys/rotate')
    const fresh = await rotateKey(owner.id, key.id, 0)
    expect((await ask(fresh.key, 'a')).headers.get('idempotent-replayed')).toBe('true')
    expect(await chargedTo(owner)).toBe(3)
  })

  it('is returned once for twenty concurrent requests; the others get 409 or the same response', async () => {
    const { owner, key } = await makeCaller()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(key.key, 'a')))
    const fresh = answers.filter((a) => a.status === 200 && !a.headers.has('idempotent-replayed'))
    expect(fresh).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status === 200) expect(answer.body).toEqual(fresh[0]?.body)
      else expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
    }
    expect(await chargedTo(owner)).toBe(3)
    expect(await sandbox.calls()).toBe(1)
  })

  it('needs no Idempotency-Key: two equal requests without one are two calls', async () => {
    const { owner, key } = await makeCaller()
    await callQuery(key.key, 'crypto_get_prices', prices)
    await callQuery(key.key, 'crypto_get_prices', prices)
    expect(await chargedTo(owner)).toBe(6)
  })
})

describe('502', () => {
  it('has the same Retry-After again', async () => {
    const { key } = await makeCaller()
    const ask = () =>
      callQuery(key.key, 'crypto_get_prices', { coinIds: ['sandbox-429'] }, { 'idempotency-key': 'later' })
    const first = await ask()
    const again = await ask()
    expect(first.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('retry-after')).toBe(first.headers.get('retry-after'))
    expect(again.body).toEqual(first.body)
  })

  it('that was charged is answered again with the same charge, and the provider is not called again', async () => {
    const { owner, key } = await makeCaller()
    const failing = { coinIds: ['sandbox-html'] }
    const first = await ask(key.key, 'a', failing)
    const again = await ask(key.key, 'a', failing)
    expect(first).toMatchObject({ status: 502, body: { code: 'upstream_error', service: { credits_charged: 3 } } })
    expect(again).toMatchObject({ status: 502, body: first.body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await sandbox.calls()).toBe(1)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, receipts: 1 })
  })
})

describe('a failure that cost nothing', () => {
  const base = cryptoSettings().COINGECKO_BASE_URL
  afterEach(() => {
    Object.assign(cryptoSettings(), { COINGECKO_BASE_URL: base })
  })

  it('is not stored: the same key calls again', async () => {
    const { owner, key } = await makeCaller()
    Object.assign(cryptoSettings(), { COINGECKO_BASE_URL: 'http://127.0.0.1:1' })
    expect(await ask(key.key, 'a')).toMatchObject({ status: 502, body: { service: { credits_charged: 0 } } })
    Object.assign(cryptoSettings(), { COINGECKO_BASE_URL: base })
    const again = await ask(key.key, 'a')
    expect(again).toMatchObject({ status: 200, body: { service: { credits_charged: 3 } } })
    expect(again.headers.has('idempotent-replayed')).toBe(false)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, receipts: 2 })
  })
})

describe('refusals', () => {
  it('are not stored: a 402 is a 200 once there are credits', async () => {
    const { owner, key } = await makeCaller(0)
    expect(await ask(key.key, 'a')).toMatchObject({ status: 402 })
    await grantCredits(owner.id, 10n)
    const answer = await ask(key.key, 'a')
    expect(answer.status).toBe(200)
    expect(answer.headers.has('idempotent-replayed')).toBe(false)
  })

  it('are not stored: a 400 leaves the Idempotency-Key free for a better body', async () => {
    const { key } = await makeCaller()
    expect(await ask(key.key, 'a', {})).toMatchObject({ status: 400 })
    expect(await ask(key.key, 'a')).toMatchObject({ status: 200 })
  })

  it('come before replays: a revoked key gets 401', async () => {
    const { owner, key } = await makeCaller()
    await ask(key.key, 'a')
    await revokeKey(owner.id, key.id)
    expect(await ask(key.key, 'a')).toMatchObject({ status: 401 })
  })
})

describe('409', () => {
  it('is returned while the first request is in progress; then its response', async () => {
    const { owner, key } = await makeCaller()
    const slow = { coinIds: ['bitcoin', 'sandbox-slow'] }
    const first = ask(key.key, 'a', slow)
    await expect.poll(sandbox.calls).toBe(1)
    const second = await ask(key.key, 'a', slow)
    expect(second).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(second.body).not.toHaveProperty('service')
    await sandbox.hurry()
    expect(await first).toMatchObject({ status: 200 })
    expect((await ask(key.key, 'a', slow)).headers.get('idempotent-replayed')).toBe('true')
    expect(await chargedTo(owner)).toBe(3)
    expect(await sandbox.calls()).toBe(1)
  })

  it('ends when the process of the first request has died and its hold is void', async () => {
    const { owner, key } = await makeCaller()
    const idempotency = { token: 'a', bodyHash: Buffer.alloc(32) }
    const id = await takeHold(owner, 3, { keyId: key.id, idempotency })
    expect(await ask(key.key, 'a')).toMatchObject({ status: 422 })
    await expireHolder(id)
    await sweepHolds()
    expect(await ask(key.key, 'a')).toMatchObject({ status: 200 })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, held: 0, receipts: 2 })
  })
})

describe('422', () => {
  it('is returned for another body under the same Idempotency-Key, and bills nothing', async () => {
    const { owner, key } = await makeCaller()
    await ask(key.key, 'a')
    const answer = await ask(key.key, 'a', { coinIds: ['ethereum'] })
    expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } })
    expect(answer.body).not.toHaveProperty('service')
    expect(answer.headers.has('idempotent-replayed')).toBe(false)
    expect(await chargedTo(owner)).toBe(3)
  })

  it('comes before 402', async () => {
    const { key } = await makeCaller(3)
    await ask(key.key, 'a')
    expect(await ask(key.key, 'a', { coinIds: ['ethereum'] })).toMatchObject({ status: 422 })
  })

  it('comes after 400', async () => {
    const { key } = await makeCaller()
    await ask(key.key, 'a')
    expect(await ask(key.key, 'a', { coinIds: [] })).toMatchObject({ status: 400 })
  })
})

it('reads nothing from an Idempotency-Key where nothing is billed', async () => {
  const { key } = await makeCaller()
  for (let i = 0; i < 2; i++) {
    const answer = await send('/api/v1/key', { key: key.key, headers: withKey('a') })
    expect(answer.status).toBe(200)
    expect(answer.headers.has('idempotent-replayed')).toBe(false)
  }
})
