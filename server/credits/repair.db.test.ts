import { expect, test } from 'vitest'
import { makeSpendLimit, takeHold } from '../../tests/support/hold'
import { moveCall } from '../../tests/support/ledger-chain'
import { makeCaller } from '../../tests/support/owners'
import { settleById } from '../../tests/support/settle'
import { mainPool } from '../db'
import { COMMAND_LINE } from '../operators/operator'
import { changeOwnerLimits } from '../operators/owner-limits'
import { repairLedger } from './repair'
import { sumUpUsage } from './sum-up'
import { findLedgerDifferences } from './verify'

/** Two calls that are summed, of yesterday and of some minutes ago, and one in progress. */
async function makeHistory() {
  const { owner, key } = await makeCaller(1_000)
  const jobId = await makeSpendLimit(owner, 300)
  for (const ago of [86_400_000, 600_000]) {
    const id = await takeHold(owner, 30, { keyId: key.id, jobId })
    await settleById({ id, actual: 20n, status: 'ok' })
    await moveCall(id, new Date(Date.now() - ago))
  }
  await takeHold(owner, 7, { keyId: key.id, jobId })
  await sumUpUsage()
  return { owner: owner.id, key: key.id, limit: jobId }
}

const whats = (differences: readonly { what: string }[]) => [...new Set(differences.map(({ what }) => what))].sort()

test('sums of usage that were lost, doubled or made up are made anew from receipts', async () => {
  const { owner } = await makeHistory()
  await mainPool().query('DELETE FROM usage_hour WHERE owner_id = $1', [owner])
  await mainPool().query('UPDATE usage_key_month SET calls = calls * 2, charged = charged * 2 WHERE owner_id = $1', [
    owner,
  ])
  await mainPool().query(
    `INSERT INTO usage_key_day SELECT owner_id, day - 3, key_id, 1, 9 FROM usage_key_day WHERE owner_id = $1`,
    [owner],
  )
  const found = await findLedgerDifferences()
  expect(found.length).toBeGreaterThan(5)
  const { repaired, left } = await repairLedger()
  expect([repaired, left]).toEqual([found, []])
  expect(await findLedgerDifferences()).toEqual([])
  expect(await repairLedger()).toEqual({ repaired: [], left: [] })
})

test('balances, holds and what keys and conversations spent are made anew from the ledger', async () => {
  const { owner, key, limit } = await makeHistory()
  await mainPool().query('UPDATE account SET available = available + 5, held = 0, calls = 9 WHERE owner_id = $1', [
    owner,
  ])
  await mainPool().query('UPDATE "key" SET spent = 1, held = 1 WHERE id = $1', [key])
  await mainPool().query('UPDATE spend_limit SET spent = 1, held = 1 WHERE id = $1', [limit])
  const { repaired, left } = await repairLedger()
  expect(left).toEqual([])
  expect(whats(repaired)).toEqual([
    'account held',
    'account total',
    'calls in progress',
    'key held',
    'key spent',
    'spend limit held',
    'spend limit spent',
  ])
  const { rows } = await mainPool().query('SELECT available::int, held::int, calls FROM account WHERE owner_id = $1', [
    owner,
  ])
  expect(rows).toEqual([{ available: 953, held: 7, calls: 1 }])
})

test('what the window of a recurring budget has spent and holds is made anew from receipts and holds', async () => {
  const { owner, key } = await makeCaller(1_000, { recurringBudget: { credits: 500, every: 'day' } })
  for (const actual of [20n, 30n])
    await settleById({ id: await takeHold(owner, 40, { keyId: key.id }), actual, status: 'ok' })
  await takeHold(owner, 7, { keyId: key.id })
  await mainPool().query('UPDATE "key" SET period_spent = 1, period_held = 0 WHERE id = $1', [key.id])
  expect(whats(await findLedgerDifferences())).toEqual(['key period'])
  expect(await repairLedger()).toMatchObject({ repaired: [{ what: 'key period' }], left: [] })
  const { rows } = await mainPool().query(
    'SELECT period_spent::int AS spent, period_held::int AS held FROM "key" WHERE id = $1',
    [key.id],
  )
  expect(rows).toEqual([{ spent: 50, held: 7 }])
})

test('a balance is not made from a ledger that is not as it was written', async () => {
  const { owner } = await makeHistory()
  await mainPool().query('UPDATE ledger SET amount = amount + 100 WHERE owner_id = $1 AND hold_id IS NULL', [owner])
  const { repaired, left } = await repairLedger()
  expect(repaired).toEqual([])
  expect(whats(left)).toEqual(['account total', 'ledger chain'])
  await mainPool().query('UPDATE ledger SET amount = amount - 100 WHERE owner_id = $1 AND hold_id IS NULL', [owner])
  expect(await findLedgerDifferences()).toEqual([])
})

test('what an account has spent and holds on a day is made anew from receipts and holds', async () => {
  const { owner } = await makeCaller(1_000)
  await changeOwnerLimits(COMMAND_LINE, { ownerId: owner.id, creditsPerDay: 100 })
  await settleById({ id: await takeHold(owner, 40), actual: 20n, status: 'ok' })
  await takeHold(owner, 7)
  await mainPool().query('UPDATE account SET day_spent = 1, day_held = 0 WHERE owner_id = $1', [owner.id])
  expect(whats(await findLedgerDifferences())).toEqual(['account day'])
  expect(await repairLedger()).toMatchObject({ repaired: [{ what: 'account day' }], left: [] })
  const { rows } = await mainPool().query('SELECT day_spent::int, day_held::int FROM account WHERE owner_id = $1', [
    owner.id,
  ])
  expect(rows).toEqual([{ day_spent: 20, day_held: 7 }])
})
