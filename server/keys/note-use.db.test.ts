import { expect, test } from 'vitest'
import { makeCaller } from '../../tests/support/owners'
import { pollUntil } from '../../tests/support/poll-until'
import { mainPool } from '../db'
import { noteKeyUse } from './note-use'

const usedAt = async (keyId: number): Promise<Date | undefined> =>
  (await mainPool().query('SELECT used_at AS at FROM key_use WHERE key_id = $1', [keyId])).rows[0]?.at

test('a use is remembered, once a minute', async () => {
  const { key } = await makeCaller()
  noteKeyUse(key.id)
  await pollUntil('the use', async () => (await usedAt(key.id)) !== undefined)
  await mainPool().query('DELETE FROM key_use WHERE key_id = $1', [key.id])
  noteKeyUse(key.id)
  const other = (await makeCaller()).key
  noteKeyUse(other.id)
  await pollUntil('the use of another key', async () => (await usedAt(other.id)) !== undefined)
  expect(await usedAt(key.id)).toBeUndefined()
})
