import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { enterKey as enter } from '../../tests/support/enter-key'
import { makeCaller, makeKey, makeOwner } from '../../tests/support/owners'
import { hotPool, mainPool } from '../db'
import { env } from '../env'
import { bearerToken } from './authenticate'
import { rotateKey } from './rotate'
import { hashSecret, makeSecret } from './secret'

describe('a bearer value', () => {
  test.each([
    [{ authorization: 'Bearer abc' }, 'abc'],
    [{ authorization: 'bearer   abc  ' }, 'abc'],
    [{ 'x-api-key': 'abc' }, 'abc'],
    [{ authorization: 'Bearer abc', 'x-api-key': 'other' }, 'abc'],
    [{ authorization: 'Basic abc', 'x-api-key': 'other' }, ''],
    [{ authorization: '', 'x-api-key': 'other' }, ''],
    [{ authorization: 'Bearer' }, ''],
    [{ authorization: 'Bearer a b' }, ''],
    [{}, null],
  ])('of %j is %j', (headers, value) => {
    expect(bearerToken(new Headers(headers as Record<string, string>))).toBe(value)
  })
})

test('a key is authenticated with its owner, its grants and its rate window', async () => {
  const { owner, key } = await makeCaller(1, {
    tools: ['crypto_get_prices'],
    llm: true,
    agent: true,
    capabilities: ['web'],
    rpm: 5,
  })
  const caller = await enter(key.key)
  expect(caller).toMatchObject({
    keyId: key.id,
    ownerId: owner.id,
    grants: { llm: true, agent: true, capabilities: ['web'], allowedModels: null },
  })
  expect(caller.grants.tools).toEqual(new Set(['crypto_get_prices']))
  expect(caller.rate).toEqual({ limit: 5, remaining: 4, resetS: 60 })
})

test('an unlisted or empty set means any, except for tools', async () => {
  const { key } = await makeCaller(1, { tools: [] })
  expect((await enter(key.key)).grants).toMatchObject({ tools: new Set(), allowedModels: null, capabilities: null })
  const every = await makeCaller()
  expect((await enter(every.key.key)).grants.tools).toBe('all')
})

test('nothing, a malformed value, an unknown one: unauthorized, and no window is opened', async () => {
  const before = (await mainPool().query('SELECT count(*) FROM rate_window')).rows
  for (const secret of [null, '', 'x', makeSecret()])
    await expect(enter(secret)).rejects.toMatchObject({ code: 'unauthorized' })
  expect((await mainPool().query('SELECT count(*) FROM rate_window')).rows).toEqual(before)
})

test('a hundred callers with mixed keys at once each get their own answer', async () => {
  const owner = await makeOwner()
  const keys = await Promise.all([3, 50, 1].map((rpm) => makeKey(owner, { rpm })))
  const secrets = [...keys.map((k) => k.key), makeSecret()]
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      enter(secrets[i % 4] as string).then(
        (caller) => [i % 4, caller.keyId] as const,
        (error) => [i % 4, error.code] as const,
      ),
    ),
  )
  const counted = (at: number, what: unknown) => answers.filter(([i, got]) => i === at && got === what).length
  expect([counted(0, keys[0]?.id), counted(0, 'rate_limited')]).toEqual([3, 22])
  expect(counted(1, keys[1]?.id)).toBe(25)
  expect([counted(2, keys[2]?.id), counted(2, 'rate_limited')]).toEqual([1, 24])
  expect(counted(3, 'unauthorized')).toBe(25)
})

test('the first calls of a process read the grants of their keys in one statement', async () => {
  const owner = await makeOwner()
  const keys = [await makeKey(owner), await makeKey(owner, { tools: [] }), await makeKey(owner, { llm: true })]
  const query = vi.spyOn(hotPool(), 'query')
  const callers = await Promise.all(Array.from({ length: 30 }, (_, i) => enter(keys[i % 3]?.key ?? null)))
  const sent = query.mock.calls.map(([config]) => (config as unknown as { name: string }).name)
  query.mockRestore()
  expect(sent).toEqual(['credits_batch', 'key_grants'])
  expect(callers.map(({ keyId }) => keyId)).toEqual(callers.map((_, i) => keys[i % 3]?.id))
  expect(callers.slice(0, 3).map(({ grants }) => [grants.tools === 'all', grants.llm])).toEqual([
    [true, false],
    [false, false],
    [true, true],
  ])
})

test('a refused request says how long to wait, in whole seconds', async () => {
  const { key } = await makeCaller(1, { rpm: 1 })
  await enter(key.key)
  await expect(enter(key.key)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: expect.any(Number) })
  const error = await enter(key.key).catch((e) => e)
  expect(Number.isInteger(error.retryAfter)).toBe(true)
  expect(error.retryAfter).toBeGreaterThan(0)
  expect(error.retryAfter).toBeLessThanOrEqual(60)
})

test('the key remembers when it was last used, to the minute', async () => {
  const { key } = await makeCaller()
  const last = async () =>
    (await mainPool().query('SELECT used_at AS at FROM key_use WHERE key_id = $1', [key.id])).rows[0]?.at
  expect(await last()).toBeUndefined()
  await enter(key.key)
  const first = await last()
  await enter(key.key)
  expect(await last()).toEqual(first)
  await mainPool().query(`UPDATE key_use SET used_at = now() - interval '2 minutes' WHERE key_id = $1`, [key.id])
  await enter(key.key)
  expect((await last()).getTime()).toBeGreaterThanOrEqual(first.getTime())
})

test('both secrets of a rotated key count in one minute when they come at once', async () => {
  const { owner, key } = await makeCaller(1, { rpm: 3 })
  const fresh = await rotateKey(owner.id, key.id, 60)
  const hashes = [key.key, fresh.key, key.key, fresh.key].map(hashSecret)
  const { rows } = await mainPool().query(
    'SELECT n, state, remaining FROM keys_authenticate($1::bytea[], NULL, NULL) ORDER BY n',
    [hashes],
  )
  expect(rows).toEqual([
    { n: 1, state: 'ok', remaining: 2 },
    { n: 2, state: 'ok', remaining: 1 },
    { n: 3, state: 'ok', remaining: 0 },
    { n: 4, state: 'limited', remaining: 0 },
  ])
})

test('a connection may first be asked for a key nobody knows', async () => {
  const client = new Client({ connectionString: env().DATABASE_URL })
  await client.connect()
  const { rows } = await client.query('SELECT * FROM keys_authenticate($1::bytea[], NULL, NULL)', [[randomBytes(32)]])
  expect(rows).toEqual([
    {
      n: 1,
      state: 'unknown',
      key_id: null,
      owner_id: null,
      rpm: null,
      remaining: null,
      reset_s: null,
      grants_version: null,
      reason: null,
    },
  ])
  await client.end()
})
