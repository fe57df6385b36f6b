import { expect, test } from 'vitest'
import { makeKey, makeOwner } from '../../tests/support/owners'
import { mainPool } from '../db'
import { readUsagePace } from './usage-pace'

const [timeZone, today] = ['Europe/Berlin', '2026-10-20']

/** Calls at noon of a day, the first of which took 10 ms, the second 20 ms and so on. */
const addCalls = (ownerId: number, keyId: number, day: string, count: number) =>
  mainPool().query(
    `INSERT INTO receipt (id, at, started_at, held, charged, owner_id, key_id, status, channel, product, what, seal)
     SELECT gen_random_uuid(), $3::timestamptz, $3::timestamptz - n * interval '10 milliseconds', 2, 2, $1, $2,
       CASE WHEN n % 10 = 0 THEN 'failed' ELSE 'ok' END, 'rest', 'tool', 'web_search', 0
     FROM generate_series(1, $4::int) n`,
    [ownerId, keyId, `${day}T12:00:00Z`, count],
  )

const asked = (filter: object) => ({ filter: { ...filter, timeZone }, today })

test('calls of some days are compared with as many before, and have durations', async () => {
  const [owner, stranger] = [await makeOwner(), await makeOwner()]
  const [one, other] = [await makeKey(owner), await makeKey(owner)]
  await addCalls(owner.id, one.id, '2026-10-20', 100)
  await addCalls(owner.id, other.id, '2026-10-19', 40)
  await addCalls(owner.id, one.id, '2026-10-17', 7)
  await addCalls(stranger.id, (await makeKey(stranger)).id, '2026-10-20', 500)
  const today = await readUsagePace(owner.id, asked({ from: '2026-10-20', to: '2026-10-20' }))
  expect(today).toMatchObject({ measured: 100, p50Ms: 505, p95Ms: 950 })
  expect(today.before).toMatchObject({ days: 1, total: { calls: 40, charged: 80, failed: 4 } })
  const days = { from: '2026-10-19', to: '2026-10-20' }
  expect(await readUsagePace(owner.id, asked(days))).toMatchObject({
    measured: 140,
    before: { days: 2, total: { calls: 7 } },
  })
  const narrowed = await readUsagePace(owner.id, asked({ ...days, keyId: other.id, outcome: 'failed' }))
  expect(narrowed).toMatchObject({ measured: 4, p50Ms: 250, before: { total: { calls: 0 } } })
  expect(await readUsagePace(owner.id, asked({}))).toMatchObject({ measured: 147, before: null })
  expect(await readUsagePace(owner.id, asked({ from: '2026-10-01', to: '2026-10-02' }))).toMatchObject({
    ...{ measured: 0, p50Ms: null, p95Ms: null },
    before: { days: 2, total: { calls: 0 } },
  })
})
