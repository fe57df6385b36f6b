import { describe, expect, test } from 'vitest'
import { enterKey } from '../../tests/support/enter-key'
import { takeHold } from '../../tests/support/hold'
import { makeCaller, makeOwner } from '../../tests/support/owners'
import { settleById } from '../../tests/support/settle'
import { mainPool } from '../db'
import { getKey } from './list'
import { revokeKey } from './revoke'
import { rotateKey } from './rotate'

const isLetIn = (secret: string) =>
  enterKey(secret).then(
    () => true,
    () => false,
  )

describe('a rotated key', () => {
  test('keeps its id, settings, spend and holds', async () => {
    const { owner, key } = await makeCaller(1_000, { budget: 100, rpm: 7, tools: ['crypto_get_prices'] })
    await settleById({ id: await takeHold(owner, 30, { keyId: key.id }), actual: 20n, status: 'ok' })
    await takeHold(owner, 5, { keyId: key.id })
    const fresh = await rotateKey(owner.id, key.id, 60)
    expect(fresh).toMatchObject({
      id: key.id,
      name: key.name,
      rpm: 7,
      budget: 100,
      spent: 20,
      held: 5,
      remaining: 75,
      tools: ['crypto_get_prices'],
    })
    expect(fresh.key).not.toBe(key.key)
    expect(fresh.last4).toBe(fresh.key.slice(-4))
  })

  test('accepts both secrets during the overlap, and says until when', async () => {
    const { owner, key } = await makeCaller()
    const fresh = await rotateKey(owner.id, key.id, 60)
    expect([await isLetIn(key.key), await isLetIn(fresh.key)]).toEqual([true, true])
    expect(fresh.rotation?.last4).toBe(key.last4)
    const minutes = (Date.parse(fresh.rotation?.until ?? '') - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(59)
    expect(minutes).toBeLessThanOrEqual(60)
  })

  test('ends the old secret at once without an overlap', async () => {
    const { owner, key } = await makeCaller()
    const fresh = await rotateKey(owner.id, key.id, 0)
    expect([await isLetIn(key.key), await isLetIn(fresh.key)]).toEqual([false, true])
    expect(fresh.rotation).toBeNull()
  })

  test('has two secrets at most: one of an earlier rotation ends with the next', async () => {
    const { owner, key } = await makeCaller()
    const second = await rotateKey(owner.id, key.id, 60)
    const third = await rotateKey(owner.id, key.id, 60)
    expect(await Promise.all([key.key, second.key, third.key].map(isLetIn))).toEqual([false, true, true])
  })

  test('rotated many times at once has one current secret, and shows that one', async () => {
    const { owner, key } = await makeCaller()
    const all = await Promise.all(Array.from({ length: 6 }, () => rotateKey(owner.id, key.id, 60)))
    const { rows } = await mainPool().query('SELECT last4, expires_at FROM key_secret WHERE key_id = $1', [key.id])
    const current = rows.filter((r) => r.expires_at === null)
    expect([rows.length, current.length]).toEqual([2, 1])
    const view = await getKey(owner.id, key.id)
    expect(view.last4).toBe(current[0].last4)
    const letIn = await Promise.all(all.map((k) => isLetIn(k.key)))
    expect(letIn.filter(Boolean)).toHaveLength(2)
    const next = await rotateKey(owner.id, key.id, 60)
    expect(next.rotation?.last4).toBe(view.last4)
  })

  test('cannot be one that was revoked or has expired', async () => {
    const { owner, key } = await makeCaller()
    await mainPool().query('UPDATE "key" SET expires_at = now() WHERE id = $1', [key.id])
    await expect(rotateKey(owner.id, key.id, 60)).rejects.toMatchObject({ code: 'conflict' })
    await revokeKey(owner.id, key.id)
    await expect(rotateKey(owner.id, key.id, 60)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('must be one of the owner’s', async () => {
    const { key } = await makeCaller()
    await expect(rotateKey((await makeOwner()).id, key.id, 60)).rejects.toMatchObject({ code: 'not_found' })
    expect(await isLetIn(key.key)).toBe(true)
  })
})
