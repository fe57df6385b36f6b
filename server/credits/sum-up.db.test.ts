import { beforeAll, expect, test } from 'vitest'
import { takeHold } from '../../tests/support/hold'
import { moveCall } from '../../tests/support/ledger-chain'
import { makeCaller } from '../../tests/support/owners'
import { settleById } from '../../tests/support/settle'
import { mainPool } from '../db'
import { sumUpUsage } from './sum-up'
import { findLedgerDifferences } from './verify'

const HOUR_MS = 3_600_000
const BEGAN = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 5 * HOUR_MS

/** A call of some hours ago, at a moment in milliseconds. */
async function makeCall(caller: Awaited<ReturnType<typeof makeCaller>>, at: number): Promise<void> {
  const id = await takeHold(caller.owner, 3, { keyId: caller.key.id })
  await settleById({ id, actual: 3n, status: 'ok' })
  await moveCall(id, new Date(at))
}

const summedCalls = async () =>
  (await mainPool().query('SELECT sum(calls)::int AS n FROM usage_hour WHERE key_id = -1')).rows[0]?.n

beforeAll(async () => {
  const caller = await makeCaller(1_000)
  for (const at of [BEGAN, BEGAN + HOUR_MS, BEGAN + HOUR_MS + 1]) await makeCall(caller, at)
})

test('a call in the very millisecond in which a step of summing ends is summed once', async () => {
  await mainPool().query(`SELECT usage_sum_up('01:00:00.0004')`)
  await sumUpUsage()
  expect(await summedCalls()).toBe(3)
  expect(await findLedgerDifferences()).toEqual([])
})

test('says that there is more only where there is, so that summing ends', async () => {
  await sumUpUsage()
  for (let i = 0; i < 20; i++)
    expect((await mainPool().query(`SELECT more FROM usage_sum_up('6 hours')`)).rows).toEqual([{ more: false }])
})

test('a call after the clock was set back is in the sums that were made before', async () => {
  await sumUpUsage()
  const before = await summedCalls()
  // As a server whose clock was two minutes ahead left it, when a replica took over.
  await mainPool().query(`UPDATE usage_summed SET until = date_trunc('milliseconds', now() + interval '1 minute')`)
  const { owner, key } = await makeCaller(1_000)
  const ids = [await takeHold(owner, 3, { keyId: key.id }), await takeHold(owner, 3, { keyId: key.id })]
  for (const id of ids) await settleById({ id, actual: 3n, status: 'ok' })
  expect(await summedCalls()).toBe(before + 2)
  expect(await findLedgerDifferences()).toEqual([])
})
