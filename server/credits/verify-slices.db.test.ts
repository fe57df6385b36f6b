import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillHistory } from '../../tests/support/history'
import { makeSpendLimit, takeHold } from '../../tests/support/hold'
import { moveCall } from '../../tests/support/ledger-chain'
import { makeCaller } from '../../tests/support/owners'
import { settleById } from '../../tests/support/settle'
import { mainPool } from '../db'
import { sliceRows } from './paced-read'
import { sumUpUsage } from './sum-up'
import { findLedgerDifferences } from './verify'
import { agreesInSlices } from './verify-slices'

/** More than one slice, and more than an owner may have to be looked at in one statement. */
const CALLS = 1_500

const usual = { ...sliceRows }
beforeAll(() => {
  Object.assign(sliceRows, { summed: 1_000, compared: 500 })
})
afterAll(() => {
  Object.assign(sliceRows, usual)
})

async function makeHistory() {
  const { owner, key } = await makeCaller(1_000_000)
  await fillHistory({ ownerId: owner.id, keyIds: [key.id], count: CALLS, days: 3 })
  const jobId = await makeSpendLimit(owner, 1_000)
  const id = await takeHold(owner, 30, { keyId: key.id, jobId, customerId: 1 })
  await settleById({ id, actual: 30n, status: 'ok' })
  await moveCall(id, new Date(Date.now() - 300_000))
  await sumUpUsage()
  return { owner, key: key.id, limit: jobId, id }
}

test('an owner with much history agrees slice by slice, and every kind of tampering is found', async () => {
  const made = await makeHistory()
  const { id: ownerId } = made.owner
  expect(await agreesInSlices(ownerId)).toBe(true)
  expect(await findLedgerDifferences()).toEqual([])
  const oldCall = (
    await mainPool().query('SELECT id FROM receipt WHERE owner_id = $1 AND charged = 2 ORDER BY at LIMIT 1', [ownerId])
  ).rows[0].id
  for (const [sql, undo, id] of [
    [
      'UPDATE account SET available = available + 1 WHERE owner_id = $1',
      'UPDATE account SET available = available - 1 WHERE owner_id = $1',
      ownerId,
    ],
    ['UPDATE "key" SET spent = spent + 1 WHERE id = $1', 'UPDATE "key" SET spent = spent - 1 WHERE id = $1', made.key],
    ['UPDATE spend_limit SET spent = 31 WHERE id = $1', 'UPDATE spend_limit SET spent = 30 WHERE id = $1', made.limit],
    ['UPDATE ledger SET amount = -3 WHERE hold_id = $1', 'UPDATE ledger SET amount = -2 WHERE hold_id = $1', oldCall],
    [
      `UPDATE ledger SET note = 'a gift' WHERE hold_id = $1`,
      'UPDATE ledger SET note = NULL WHERE hold_id = $1',
      oldCall,
    ],
    ['UPDATE receipt SET charged = 3 WHERE id = $1', 'UPDATE receipt SET charged = 2 WHERE id = $1', oldCall],
    [
      'UPDATE usage_hour SET charged = charged + 1 WHERE owner_id = $1',
      'UPDATE usage_hour SET charged = charged - 1 WHERE owner_id = $1',
      ownerId,
    ],
    [
      'UPDATE usage_customer_hour SET charged = charged + 1 WHERE owner_id = $1',
      'UPDATE usage_customer_hour SET charged = charged - 1 WHERE owner_id = $1',
      ownerId,
    ],
    [
      'UPDATE usage_key_month SET charged = charged + 1 WHERE owner_id = $1',
      'UPDATE usage_key_month SET charged = charged - 1 WHERE owner_id = $1',
      ownerId,
    ],
  ] as const) {
    await mainPool().query(sql, [id])
    expect(await agreesInSlices(ownerId), sql).toBe(false)
    await mainPool().query(undo, [id])
  }
  await mainPool().query('UPDATE receipt SET charged = 3 WHERE id = $1', [oldCall])
  expect((await findLedgerDifferences()).map((d) => d.what)).toEqual(['receipt charge', 'changed receipt'])
  await mainPool().query('UPDATE receipt SET charged = 2 WHERE id = $1', [oldCall])
}, 120_000)

test('a change during the check is not a difference', async () => {
  const { owner, key, limit } = await makeHistory()
  let isOver = false
  let calls = 0
  const caller = async () => {
    while (!isOver) {
      // Faster callers only make the history longer.
      await sleep(10)
      const id = await takeHold(owner, 3, { keyId: key, jobId: calls % 7 ? undefined : limit })
      await settleById({ id, actual: 1n, status: 'ok' })
      if (calls % 3 === 0) await sumUpUsage()
      if (calls++ % 5 === 0) await mainPool().query(`SELECT credits_refund($1, 'void', 'test')`, [id])
    }
  }
  const callers = Array.from({ length: 4 }, caller)
  for (let i = 0; i < 3 || calls <= 10; i++) expect(await findLedgerDifferences()).toEqual([])
  isOver = true
  await Promise.all(callers)
  expect(await findLedgerDifferences()).toEqual([])
}, 120_000)

test('rows of an owner with much history are compared slice by slice', async () => {
  const { id, key, limit, owner } = await makeHistory()
  const other = await makeCaller(1_000)
  await mainPool().query('UPDATE receipt SET key_id = NULL, held = 7 WHERE id = $1', [id])
  await mainPool().query('UPDATE "key" SET owner_id = $2 WHERE id = $1', [key, other.owner.id])
  await mainPool().query('DELETE FROM spend_limit WHERE id = $1', [limit])
  const found = (await findLedgerDifferences()).map(({ what }) => what)
  expect(found).toEqual(expect.arrayContaining(['changed receipt', 'receipt key', 'key owner', 'missing spend limit']))
  await mainPool().query('UPDATE "key" SET owner_id = $2 WHERE id = $1', [key, owner.id])
}, 120_000)
