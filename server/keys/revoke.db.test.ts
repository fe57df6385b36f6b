import { expect, test } from 'vitest'
import { enterKey as enter } from '../../tests/support/enter-key'
import { makeCaller, makeOwner } from '../../tests/support/owners'
import { revokeKey } from './revoke'
import { rotateKey } from './rotate'

test('a revoked key authenticates nobody, with either of its secrets', async () => {
  const { owner, key } = await makeCaller()
  const fresh = await rotateKey(owner.id, key.id, 60)
  await enter(key.key)
  expect(await revokeKey(owner.id, key.id)).toMatchObject({
    id: key.id,
    state: 'revoked',
    revokedAt: expect.any(String),
  })
  for (const secret of [key.key, fresh.key]) {
    await expect(enter(secret)).rejects.toMatchObject({
      code: 'unauthorized',
      message: expect.stringMatching(/revoked/),
    })
  }
})

test('revoking again changes nothing', async () => {
  const { owner, key } = await makeCaller()
  const first = await revokeKey(owner.id, key.id)
  expect(await revokeKey(owner.id, key.id)).toEqual(first)
})

test('a key of another owner, or an unknown one, is not found and not changed', async () => {
  const { key } = await makeCaller()
  const other = await makeOwner()
  for (const id of [key.id, 2_000_000_000]) {
    await expect(revokeKey(other.id, id)).rejects.toMatchObject({ code: 'not_found' })
  }
  expect(await enter(key.key)).toMatchObject({ keyId: key.id })
})
