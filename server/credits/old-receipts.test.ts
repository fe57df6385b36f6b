import { beforeEach, expect, test } from 'vitest'
import { cleanAll } from '../../tests/support/cleaning'
import { fillHistory } from '../../tests/support/history'
import { hold, makeCeiling } from '../../tests/support/hold'
import { makeCaller } from '../../tests/support/make'
import { withOwnDatabase } from '../../tests/support/own-database'
import { settle } from '../../tests/support/settle'
import { pool } from '../db'
import { oldReceipts } from './old-receipts'
import { spendOver } from './spend'
import { verifyLedger } from './verify'

withOwnDatabase()

beforeEach(() => pool().query(`UPDATE retention SET cutoff = NULL, deleted = NULL`))

/** An owner with 1,200 calls over 60 days, and one of 50 days ago under a spend limit. Returns the limit too. */
async function madeUp() {
  const { owner, key } = await makeCaller(10_000)
  await fillHistory({ ownerId: owner.id, keyIds: [key.id], count: 1_200, days: 60 })
  const limitId = await makeCeiling(owner, 100)
  for (const days of [50, 1]) {
    const id = await hold(owner, 9, { keyId: key.id, limitId })
    await settle({ id, actual: 9n, status: 'ok' })
    for (const table of ['receipt', 'ledger'])
      await pool().query(
        `UPDATE ${table} SET at = at - make_interval(days => $2) WHERE ${table === 'receipt' ? 'id' : 'hold_id'} = $1`,
        [id, days],
      )
  }
  return { owner, limitId }
}

const countOf = async (ownerId: number) =>
  (await pool().query('SELECT count(*)::int AS n FROM receipt WHERE owner_id = $1', [ownerId])).rows[0].n

test('receipts from before the cutoff are deleted in steps; sums, spend and ledger stay, and the ledger verifies', async () => {
  const { owner, limitId } = await madeUp()
  const before = await spendOver(owner.id, 90)
  const due = await oldReceipts(31)?.count()
  expect(due).toBeGreaterThan(500)
  const { deleted, steps } = await cleanAll(oldReceipts(31))
  expect(deleted).toBe(due)
  expect(steps).toBeGreaterThan(2)
  expect(await countOf(owner.id)).toBe(1_202 - deleted)
  expect(await spendOver(owner.id, 90)).toEqual(before)
  expect(await verifyLedger()).toEqual([])
  expect((await pool().query('SELECT spent::int FROM spend_limit WHERE id = $1', [limitId])).rows).toEqual([
    { spent: 18 },
  ])
  expect(await cleanAll(oldReceipts(31))).toEqual({ deleted: 0, steps: 1 })
})

test('two runs at the same time delete each receipt once', async () => {
  const { owner } = await madeUp()
  const due = (await oldReceipts(31)?.count()) ?? 0
  const left = await countOf(owner.id)
  const runs = await Promise.all([cleanAll(oldReceipts(31)), cleanAll(oldReceipts(31)), cleanAll(oldReceipts(31))])
  expect(runs.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(due)
  expect(await countOf(owner.id)).toBe(left - due)
  expect(await verifyLedger()).toEqual([])
})

test('what is wrong after the cutoff is still found, and a receipt missing there too', async () => {
  const { limitId } = await madeUp()
  await cleanAll(oldReceipts(31))
  expect(await verifyLedger()).toEqual([])
  await pool().query('DELETE FROM receipt WHERE limit_id = $1', [limitId])
  expect((await verifyLedger()).map((d) => d.what)).toEqual(['ceiling spent', 'receipt charge', 'usage of a day'])
})

test('0 days keep them for ever', () => {
  expect(oldReceipts(0)).toBeNull()
})
