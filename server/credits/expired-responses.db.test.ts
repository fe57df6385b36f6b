import { expect, test } from 'vitest'
import { makeCaller } from '../../tests/support/owners'
import { runRetentionTask } from '../../tests/support/retention-task'
import { mainPool } from '../db'
import { expiredResponses } from './expired-responses'

/** Writes kept answers of a key, one a second, the newest `hours` old. */
const keep = (keyId: number, count: number, given: { hours?: number; status?: number | null } = {}) =>
  mainPool().query(
    `INSERT INTO idempotency (key_id, token, body_hash, hold_id, status, answer, charged, seal, created_at)
     SELECT $1, gen_random_uuid(), '\\x00', gen_random_uuid(), $3::int, '{}', 1, 0 * $3::int, now() - make_interval(hours => $4, secs => n)
     FROM generate_series(1, $2::int) n`,
    [keyId, count, given.status === undefined ? 200 : given.status, given.hours ?? 0],
  )

const countOf = async (keyId: number) =>
  (await mainPool().query('SELECT count(*)::int AS n FROM idempotency WHERE key_id = $1', [keyId])).rows[0].n

test('responses of yesterday are deleted in steps, and none for their number; those of calls in progress stay', async () => {
  const [first, second] = [await makeCaller(), await makeCaller()]
  await keep(first.key.id, 1_300, { hours: 24 })
  await keep(first.key.id, 7, { hours: 23 })
  await keep(first.key.id, 3, { hours: 30, status: null })
  await keep(second.key.id, 10_200)
  await mainPool().query(
    `INSERT INTO idempotency_hour SELECT $1, date_trunc('hour', now()) - make_interval(hours => n), 1 FROM generate_series(0, 40) n`,
    [first.owner.id],
  )
  expect(await expiredResponses().count()).toBe(1_300)
  const { deleted, steps } = await runRetentionTask(expiredResponses())
  expect(deleted).toBe(1_300)
  expect(steps).toBeGreaterThan(2)
  expect([await countOf(first.key.id), await countOf(second.key.id)]).toEqual([10, 10_200])
  const { rows } = await mainPool().query('SELECT hour FROM idempotency_hour WHERE owner_id = $1', [first.owner.id])
  expect([25, 26]).toContain(rows.length)
})
