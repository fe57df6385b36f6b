import { beforeEach, expect, test } from 'vitest'
import { fillHistory } from '../../tests/support/history'
import { makeSpendLimit, takeHold } from '../../tests/support/hold'
import { moveCall } from '../../tests/support/ledger-chain'
import { makeCaller } from '../../tests/support/owners'
import { runRetentionTask } from '../../tests/support/retention-task'
import { settleById } from '../../tests/support/settle'
import { stayWithinOneDay } from '../../tests/support/within-one-day'
import { mainPool } from '../db'
import { expiredReceipts } from './expired-receipts'
import { spendOverDays } from './spend'
import { findLedgerDifferences } from './verify'

// The cutoff is a midnight: another one during a test would move it.
beforeEach(stayWithinOneDay, 60_000)
beforeEach(() => mainPool().query(`UPDATE retention SET cutoff = NULL, deleted = NULL`))

/**
 * An owner with 1,200 calls over 60 days, and one of 50 days ago under a spend limit. Returns the
 * limit too.
 */
async function makeHistory() {
  const { owner, key } = await makeCaller(10_000)
  await fillHistory({ ownerId: owner.id, keyIds: [key.id], count: 1_200, days: 60 })
  const jobId = await makeSpendLimit(owner, 100)
  for (const days of [50, 1]) {
    const id = await takeHold(owner, 9, { keyId: key.id, jobId })
    await settleById({ id, actual: 9n, status: 'ok' })
    await moveCall(id, new Date(Date.now() - days * 86_400_000))
  }
  return { owner, jobId }
}

const countOf = async (ownerId: number) =>
  (await mainPool().query('SELECT count(*)::int AS n FROM receipt WHERE owner_id = $1', [ownerId])).rows[0].n

test('receipts from before the cutoff are deleted in steps; sums, spend and ledger stay, and the ledger verifies', async () => {
  const { owner, jobId } = await makeHistory()
  const before = await spendOverDays(owner.id, { days: 90, timeZone: 'UTC' })
  const due = await expiredReceipts(31)?.count()
  expect(due).toBeGreaterThan(500)
  const { deleted, steps } = await runRetentionTask(expiredReceipts(31))
  expect(deleted).toBe(due)
  expect(steps).toBeGreaterThan(2)
  expect(await countOf(owner.id)).toBe(1_202 - deleted)
  expect(await spendOverDays(owner.id, { days: 90, timeZone: 'UTC' })).toEqual(before)
  expect(await findLedgerDifferences()).toEqual([])
  expect((await mainPool().query('SELECT spent::int FROM spend_limit WHERE id = $1', [jobId])).rows).toEqual([
    { spent: 18 },
  ])
  expect(await runRetentionTask(expiredReceipts(31))).toEqual({ deleted: 0, steps: 1 })
})

test('two runs at the same time delete each receipt once', async () => {
  const { owner } = await makeHistory()
  const due = (await expiredReceipts(31)?.count()) ?? 0
  const left = await countOf(owner.id)
  const runs = await Promise.all([
    runRetentionTask(expiredReceipts(31)),
    runRetentionTask(expiredReceipts(31)),
    runRetentionTask(expiredReceipts(31)),
  ])
  expect(runs.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(due)
  expect(await countOf(owner.id)).toBe(left - due)
  expect(await findLedgerDifferences()).toEqual([])
})

test('a wrong sum after the cutoff is still found, and a missing receipt too', async () => {
  const { jobId } = await makeHistory()
  await runRetentionTask(expiredReceipts(31))
  expect(await findLedgerDifferences()).toEqual([])
  await mainPool().query('DELETE FROM receipt WHERE limit_id = $1', [jobId])
  expect((await findLedgerDifferences()).map((d) => d.what)).toEqual([
    'spend limit spent',
    'receipt charge',
    'usage of an hour',
    'usage of an hour',
    'usage of a key',
  ])
})

test('0 days keep receipts for good', () => {
  expect(expiredReceipts(0)).toBeNull()
})
