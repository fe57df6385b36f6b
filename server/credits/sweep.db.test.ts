import { describe, expect, test } from 'vitest'
import { holdRequest, makeSpendLimit, takeHold } from '../../tests/support/hold'
import { expireHolder, lockAccount, readOwnerMoney } from '../../tests/support/ledger'
import { makeCaller, makeOwner } from '../../tests/support/owners'
import { settleById, voidHoldById } from '../../tests/support/settle'
import { mainPool } from '../db'
import { startLeaseRenewal } from './holder'
import { creditsLost, oldHolds } from './metrics'
import { reserveCredits } from './reserve'
import { startSweeping, sweepHolds } from './sweep'
import { findLedgerDifferences } from './verify'

test('holds of a live process stay', async () => {
  const owner = await makeOwner(100)
  const id = await takeHold(owner, 30)
  expect(await sweepHolds()).toEqual({ swept: 0, credits: 0 })
  expect(await settleById({ id, actual: 30n, status: 'ok' })).toMatchObject({ charged: 30n })
})

test('holds of a dead process are void, under every limit they counted against', async () => {
  const { owner, key } = await makeCaller(100, { budget: 50 })
  const jobId = await makeSpendLimit(owner, 40)
  const id = await takeHold(owner, 30, { keyId: key.id, jobId })
  await expireHolder(id)
  expect(await sweepHolds()).toEqual({ swept: 1, credits: 30 })
  expect(await readOwnerMoney(owner)).toEqual({ available: 100, held: 0, charged: 0, receipts: 1, holds: 0 })
  const { rows } = await mainPool().query(
    'SELECT k.held::int + k.spent::int AS key, l.held::int + l.spent::int AS spend_limit FROM "key" k, spend_limit l WHERE k.id = $1 AND l.id = $2',
    [key.id, jobId],
  )
  expect(rows).toEqual([{ key: 0, spend_limit: 0 }])
})

test('a hold of an unknown process is void too', async () => {
  const owner = await makeOwner(100)
  const id = await takeHold(owner, 30)
  await mainPool().query('UPDATE hold SET holder_id = gen_random_uuid() WHERE id = $1', [id])
  expect(await sweepHolds()).toEqual({ swept: 1, credits: 30 })
})

test('an Idempotency-Key in flight is free again when its process has died', async () => {
  const { owner, key } = await makeCaller(100)
  const ask = () => holdRequest(owner, 10, { keyId: key.id, idempotency: { token: 't', bodyHash: Buffer.alloc(32) } })
  const first = ask()
  await reserveCredits(first)
  await expireHolder(first.id)
  await sweepHolds()
  const again = ask()
  expect(await reserveCredits(again)).toMatchObject({ kind: 'held' })
  await voidHoldById(again.id)
})

test('more dead holds than one round takes are swept at once', async () => {
  const owner = await makeOwner(2_000)
  const ids = await Promise.all(Array.from({ length: 1_100 }, () => takeHold(owner, 1, { channel: 'agent' })))
  await expireHolder(ids[0] as string)
  expect(await sweepHolds()).toEqual({ swept: 1_100, credits: 1_100 })
  expect(await readOwnerMoney(owner)).toMatchObject({ available: 2_000, held: 0, holds: 0 })
})

test('concurrent sweeps void each hold once', async () => {
  const owner = await makeOwner(100)
  const ids = await Promise.all(Array.from({ length: 20 }, () => takeHold(owner, 1)))
  await expireHolder(ids[0] as string)
  const [a, b] = await Promise.all([sweepHolds(), sweepHolds()])
  expect(a.swept + b.swept).toBe(20)
  expect(await readOwnerMoney(owner)).toMatchObject({ available: 100, held: 0, receipts: 20 })
})

test('a reservation renews a lease that expires soon, and so does a live process', async () => {
  const owner = await makeOwner(100)
  const lease = async (id: string) => {
    const sql =
      'SELECT lease_until > now() + $2::interval AS long FROM holder WHERE id = (SELECT holder_id FROM hold WHERE id = $1)'
    return (await mainPool().query(sql, [id, '40 seconds'])).rows[0].long
  }
  const first = await takeHold(owner, 1)
  await expireHolder(first)
  expect(await lease(first)).toBe(false)
  await takeHold(owner, 1)
  expect(await lease(first)).toBe(true)
  await expireHolder(first)
  const stop = startLeaseRenewal()
  await expect.poll(() => lease(first)).toBe(true)
  stop()
})

test('processes that died long ago are forgotten', async () => {
  await mainPool().query(`INSERT INTO holder VALUES (gen_random_uuid(), now() - interval '2 hours')`)
  const stop = startSweeping()
  const old = `SELECT 1 FROM holder WHERE lease_until < now() - interval '1 hour'`
  await expect.poll(async () => (await mainPool().query(old)).rowCount).toBe(0)
  stop()
})

describe('a database that was away', () => {
  const isUpSince = (ago: string) =>
    mainPool().query(`UPDATE credits_clock SET up_since = clock_timestamp() - $1::interval`, [ago])
  const wasLastSeen = (ago: string) =>
    mainPool().query(`UPDATE credits_clock SET seen_at = clock_timestamp() - $1::interval`, [ago])

  test('voids no holds before every live process could renew', async () => {
    const owner = await makeOwner(100)
    const id = await takeHold(owner, 30)
    await expireHolder(id)
    await wasLastSeen('60 seconds')
    expect(await sweepHolds()).toEqual({ swept: 0, credits: 0 })
    await isUpSince('20 seconds')
    expect(await sweepHolds()).toEqual({ swept: 0, credits: 0 })
    expect(await settleById({ id, actual: 30n, status: 'ok' })).toMatchObject({ charged: 30n, expired: false })
  })

  test('voids the holds of those that did not renew within half a minute', async () => {
    const owner = await makeOwner(100)
    await expireHolder(await takeHold(owner, 30))
    await wasLastSeen('60 seconds')
    expect((await sweepHolds()).swept).toBe(0)
    await isUpSince('31 seconds')
    await sweepHolds()
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 100, holds: 0 })
  })

  test('is noticed by a gap of all processes, not by one that is late', async () => {
    const owner = await makeOwner(100)
    await expireHolder(await takeHold(owner, 30))
    await wasLastSeen('15 seconds')
    await sweepHolds()
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 100, holds: 0 })
  })
})

test('a hold that cannot be ended does not keep the others from being swept', async () => {
  const owner = await makeOwner(100)
  const ids = [await takeHold(owner, 1), await takeHold(owner, 2), await takeHold(owner, 3)]
  await expireHolder(ids[0] as string)
  // Its key does not exist: a settlement of it raises.
  await mainPool().query('UPDATE hold SET key_id = 2147483647 WHERE id = $1', [ids[1]])
  expect(await sweepHolds()).toEqual({ swept: 2, credits: 4 })
  await mainPool().query('UPDATE hold SET key_id = NULL WHERE id = $1', [ids[1]])
  expect(await sweepHolds()).toEqual({ swept: 1, credits: 2 })
})

describe('an owner whose rows another transaction has locked', () => {
  test('does not keep the holds of others from being swept, and its own are swept when it is unlocked', async () => {
    const owners = await Promise.all(Array.from({ length: 4 }, () => makeOwner(100)))
    const ids = await Promise.all(owners.map((owner) => takeHold(owner, 10)))
    const [locked, ...others] = owners
    if (!locked) throw new Error('no owner')
    await expireHolder(ids[0] as string)
    const unlock = await lockAccount(locked)
    expect(await sweepHolds().finally(unlock)).toEqual({ swept: 3, credits: 30 })
    for (const owner of others) expect(await readOwnerMoney(owner)).toMatchObject({ available: 100, holds: 0 })
    expect(await sweepHolds()).toEqual({ swept: 1, credits: 10 })
  })

  test('neither delays the leases of living processes, nor keeps the rest of a sweep from being done', async () => {
    const owner = await makeOwner(100)
    const id = await takeHold(owner, 10)
    await expireHolder(id)
    await mainPool().query(`INSERT INTO holder VALUES (gen_random_uuid(), now() - interval '2 hours')`)
    await mainPool().query(`UPDATE hold SET created_at = now() - interval '1 hour' WHERE id = $1`, [id])
    oldHolds.set(0)
    const unlock = await lockAccount(owner)
    const stop = startSweeping()
    const waits = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
      AND query LIKE '%credits_sweep%'`
    await expect.poll(async () => (await mainPool().query(waits)).rowCount, { interval: 5 }).toBe(1)
    await mainPool().query(`BEGIN; SET LOCAL lock_timeout = 100; SELECT credits_renew(gen_random_uuid()); COMMIT`)
    const old = `SELECT 1 FROM holder WHERE lease_until < now() - interval '1 hour'`
    await expect.poll(async () => (await mainPool().query(old)).rowCount).toBe(0)
    await expect.poll(async () => (await oldHolds.get()).values[0]?.value).toBe(1)
    stop()
    await unlock()
    expect((await sweepHolds()).swept).toBe(1)
  })
})

test('swept credits count as lost', async () => {
  const lost = async () => (await creditsLost.get()).values[0]?.value ?? 0
  const before = await lost()
  await expireHolder(await takeHold(await makeOwner(100), 30))
  await sweepHolds()
  expect(await lost()).toBe(before + 30)
})

test('the ledger agrees afterwards', async () => {
  expect(await findLedgerDifferences()).toEqual([])
})
