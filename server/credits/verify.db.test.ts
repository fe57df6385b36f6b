import { expect, test } from 'vitest'
import { makeSpendLimit, takeHold } from '../../tests/support/hold'
import { makeCaller } from '../../tests/support/owners'
import { settleById } from '../../tests/support/settle'
import { mainPool, readPool } from '../db'
import { findLedgerDifferences } from './verify'
import type { LedgerDifference } from './verify-checks'

/** Whose an id of a difference is: daily sums have several, the owner's first. */
const idOf = ({ id }: LedgerDifference) => id.split('/')[0] ?? id

async function makeHistory() {
  const { owner, key } = await makeCaller(1_000, { budget: 500 })
  const jobId = await makeSpendLimit(owner, 300)
  const id = await takeHold(owner, 30, { keyId: key.id, jobId })
  await settleById({ id, actual: 20n, status: 'ok' })
  const open = await takeHold(owner, 7, { keyId: key.id, jobId })
  return { owner: owner.id, key: key.id, limit: jobId, id, open }
}

test('agrees with what only the SQL functions wrote', async () => {
  await makeHistory()
  expect(await findLedgerDifferences()).toEqual([])
})

test.each([
  ['a balance', 'UPDATE account SET available = available + 1 WHERE owner_id = $1', 'owner', ['account total']],
  [
    'what an account holds',
    'UPDATE account SET held = held + 1, available = available - 1 WHERE owner_id = $1',
    'owner',
    ['account held'],
  ],
  ['a count of calls', 'UPDATE account SET calls = calls + 1 WHERE owner_id = $1', 'owner', ['calls in progress']],
  ['a key’s spend', 'UPDATE "key" SET spent = spent - 1 WHERE id = $1', 'key', ['key spent']],
  ['what a key holds', 'UPDATE "key" SET held = 0 WHERE id = $1', 'key', ['key held']],
  ['a spend limit’s spend', 'UPDATE spend_limit SET spent = 0 WHERE id = $1', 'limit', ['spend limit spent']],
  ['what a spend limit holds', 'UPDATE spend_limit SET held = 0 WHERE id = $1', 'limit', ['spend limit held']],
  [
    'a receipt',
    'UPDATE receipt SET charged = charged + 1 WHERE id = $1',
    'id',
    ['spend limit spent', 'receipt charge', 'changed receipt'],
  ],
  ['a missing receipt', 'DELETE FROM receipt WHERE id = $1', 'id', ['spend limit spent', 'receipt charge']],
  [
    'a hold that outlived every call',
    "UPDATE hold SET created_at = now() - interval '11 minutes' WHERE owner_id = $1",
    'owner',
    ['old hold'],
  ],
  [
    'a settlement that was given up',
    "INSERT INTO settlement_dead (id, owner_id, request, error, attempts) SELECT id, owner_id, '{}', 'refused', 20 FROM hold WHERE owner_id = $1",
    'owner',
    ['settlement given up'],
  ],
  [
    'a missing ledger row',
    'DELETE FROM ledger WHERE hold_id = $1',
    'id',
    ['account total', 'ledger chain', 'key spent', 'receipt charge'],
  ],
  [
    'a changed ledger row',
    'UPDATE ledger SET amount = amount - 5 WHERE hold_id = $1',
    'id',
    ['account total', 'ledger chain', 'key spent', 'receipt charge'],
  ],
  [
    'a missing hold',
    'DELETE FROM hold WHERE owner_id = $1',
    'owner',
    ['account held', 'key held', 'spend limit held', 'calls in progress'],
  ],
  ['a missing account', 'DELETE FROM account WHERE owner_id = $1', 'owner', ['account total']],
] as const)('finds %s that was tampered with', async (_name, sql, what, found) => {
  const made = await makeHistory()
  const ids = Object.values(made).map(String)
  await mainPool().query(sql, [made[what]])
  const differences = (await findLedgerDifferences()).filter((d) => ids.includes(idOf(d)))
  expect(differences.map((d) => d.what)).toEqual(found)
  for (const { stored, computed } of differences) expect(stored).not.toBe(computed)
})

test('returns a usable connection after an error', async () => {
  await mainPool().query('ALTER TABLE spend_limit RENAME TO spend_limit_away')
  await expect(findLedgerDifferences()).rejects.toThrow(/spend_limit/)
  await mainPool().query('ALTER TABLE spend_limit_away RENAME TO spend_limit')
  for (let i = 0; i < 20; i++) expect((await readPool().query('SELECT 1')).rowCount).toBe(1)
})
