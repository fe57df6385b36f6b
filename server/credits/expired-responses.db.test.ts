import { expect, test } from 'vitest'
import { holdRequest } from '../../tests/support/hold'
import { makeCaller } from '../../tests/support/owners'
import { runRetentionTask } from '../../tests/support/retention-task'
import { settleById } from '../../tests/support/settle'
import { mainPool } from '../db'
import { expiredResponses } from './expired-responses'
import { reserveCredits } from './reserve'

/** Writes kept answers of a key, one a second, the newest `hours` old. */
const keep = (keyId: number, count: number, given: { hours?: number; status?: number | null } = {}) =>
  mainPool().query(
    `INSERT INTO idempotency (key_id, token, body_hash, hold_id, status, answer, charged, created_at)
     SELECT $1, gen_random_uuid(), '\\x00', gen_random_uuid(), $3::int, '{}', 1, now() - make_interval(hours => $4, secs => n)
     FROM generate_series(1, $2::int) n`,
    [keyId, count, given.status === undefined ? 200 : given.status, given.hours ?? 0],
  )

const countOf = async (keyId: number) =>
  (await mainPool().query('SELECT count(*)::int AS n FROM idempotency WHERE key_id = $1', [keyId])).rows[0].n

test('responses of yesterday and all but a key’s newest 10,000 are deleted in steps; those of calls in progress stay', async () => {
  const [first, second] = [await makeCaller(), await makeCaller()]
  await keep(first.key.id, 1_300, { hours: 24 })
  await keep(first.key.id, 7, { hours: 23 })
  await keep(first.key.id, 3, { hours: 30, status: null })
  await keep(second.key.id, 10_200)
  expect(await expiredResponses().count()).toBe(1_500)
  const { deleted, steps } = await runRetentionTask(expiredResponses())
  expect(deleted).toBe(1_500)
  expect(steps).toBeGreaterThan(3)
  expect([await countOf(first.key.id), await countOf(second.key.id)]).toEqual([10, 10_000])
})

test('a response beyond 1 MiB is not stored: its repeat says so and names the receipt, and nothing is charged again', async () => {
  const { owner, key } = await makeCaller()
  const idempotency = { token: 'large', bodyHash: Buffer.from('body') }
  const request = holdRequest(owner, 5, { keyId: key.id, idempotency })
  await reserveCredits(request)
  const body = JSON.stringify({ text: 'é'.repeat(600_000) })
  await settleById({ id: request.id, actual: 5n, status: 'ok', answer: { status: 200, body } })
  const { rows } = await mainPool().query('SELECT length(answer) AS length FROM idempotency WHERE key_id = $1', [
    key.id,
  ])
  expect(rows[0].length).toBeLessThan(1_000)
  const again = await reserveCredits(holdRequest(owner, 5, { keyId: key.id, idempotency }))
  expect(again).toMatchObject({ kind: 'replay', answer: { status: 409, charged: 5n, body: { code: 'conflict' } } })
  expect(JSON.stringify(again, (_, v) => (typeof v === 'bigint' ? Number(v) : v))).toContain(
    `/api/v1/usage/${request.id}`,
  )
})
