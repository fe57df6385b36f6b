import { expect, test } from 'vitest'
import { makeKey, makeOwner } from '../../tests/support/owners'
import { mainPool } from '../db'
import { encodeCursor } from '../kit/cursor'
import { changeKey } from './change'
import { getKey, listKeys } from './list'
import { revokeKey } from './revoke'

test('keys are listed newest first, revoked ones too, in pages that join', async () => {
  const owner = await makeOwner()
  const ids: number[] = []
  for (let i = 0; i < 5; i++) ids.unshift((await makeKey(owner, { name: `k${i}` })).id)
  await revokeKey(owner.id, ids[0] as number)
  const first = await listKeys(owner.id, { limit: 2 })
  await makeKey(owner)
  const second = await listKeys(owner.id, { limit: 2, cursor: first.nextCursor ?? '' })
  const third = await listKeys(owner.id, { limit: 2, cursor: second.nextCursor ?? '' })
  expect([first, second, third].flatMap((p) => p.rows.map((k) => k.id))).toEqual(ids)
  expect(first.rows[0]?.state).toBe('revoked')
  expect(third.nextCursor).toBeNull()
})

test('only the owner’s keys are listed', async () => {
  const [one, two] = [await makeOwner(), await makeOwner()]
  const key = await makeKey(one)
  expect(await listKeys(two.id, { limit: 10 })).toEqual({ rows: [], nextCursor: null })
  await expect(getKey(two.id, key.id)).rejects.toMatchObject({ code: 'not_found' })
})

test.each([
  '',
  'x',
  encodeCursor({ at: new Date(), id: 'abc' }),
  encodeCursor({ at: new Date(), id: '9999999999' }),
  encodeCursor({ at: new Date(), id: '1.5' }),
])('cursor %j is refused', async (cursor) => {
  const owner = await makeOwner()
  await expect(listKeys(owner.id, { limit: 10, cursor })).rejects.toMatchObject({ code: 'invalid_request' })
})

test('a key’s state is the first that applies: revoked, expired, spent', async () => {
  const owner = await makeOwner()
  const { id } = await makeKey(owner, { budget: 5 })
  const state = async () => (await getKey(owner.id, id)).state
  expect(await state()).toBe('active')
  await mainPool().query('UPDATE "key" SET spent = 5 WHERE id = $1', [id])
  expect(await state()).toBe('spent')
  await mainPool().query('UPDATE "key" SET expires_at = now() WHERE id = $1', [id])
  expect(await state()).toBe('expired')
  await revokeKey(owner.id, id)
  expect(await state()).toBe('revoked')
})

test('a key is renamed by its owner only', async () => {
  const [one, two] = [await makeOwner(), await makeOwner()]
  const { id } = await makeKey(one, { name: 'old' })
  expect(await changeKey(one.id, id, { name: 'new' })).toMatchObject({ id, name: 'new' })
  await expect(changeKey(two.id, id, { name: 'theirs' })).rejects.toMatchObject({ code: 'not_found' })
  expect(await getKey(one.id, id)).toMatchObject({ name: 'new' })
})
