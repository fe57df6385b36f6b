import { expect, test } from 'vitest'
import { findLedgerDifferences } from '../../server/credits/verify'
import { mainPool } from '../../server/db'
import { fillHistory } from './history'
import { makeOwner } from './owners'
import { fillJobs, fillKeys } from './volume'

test('an owner with much history has a ledger that agrees with it', async () => {
  const { id: ownerId } = await makeOwner()
  const keyIds = await fillKeys(ownerId, 50)
  await fillHistory({ ownerId, keyIds, count: 500 })
  await fillJobs({ ownerId, keyIds, count: 100 })
  const { rows } = await mainPool().query('SELECT count(*)::int AS jobs FROM job WHERE owner_id = $1', [ownerId])
  expect([keyIds.length, rows]).toEqual([50, [{ jobs: 100 }]])
  expect(await findLedgerDifferences()).toEqual([])
})
