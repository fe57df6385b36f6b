import { expect, test } from 'vitest'
import { takeHold } from '../../tests/support/hold'
import { readOwnerMoney } from '../../tests/support/ledger'
import { makeOwner } from '../../tests/support/owners'
import { mainPool, prisma } from '../db'
import { grantCredits, grantIn } from './grant'
import { findLedgerDifferences } from './verify'

test('a grant adds to the balance and leaves a ledger row with its note', async () => {
  const owner = await makeOwner(0)
  expect(await grantCredits(owner.id, 70n, 'welcome')).toBe(70n)
  expect(await grantCredits(owner.id, 5n)).toBe(75n)
  const { rows } = await mainPool().query(
    'SELECT amount::int, note, hold_id FROM ledger WHERE owner_id = $1 ORDER BY id',
    [owner.id],
  )
  expect(rows).toEqual([
    { amount: 70, note: 'welcome', hold_id: null },
    { amount: 5, note: null, hold_id: null },
  ])
})

test('a correction takes available credits, down to 0, and never what is held', async () => {
  const owner = await makeOwner(100)
  await takeHold(owner, 30)
  await expect(grantCredits(owner.id, -71n)).rejects.toMatchObject({ code: 'conflict' })
  expect(await grantCredits(owner.id, -70n)).toBe(0n)
  expect(await readOwnerMoney(owner)).toMatchObject({ available: 0, held: 30 })
})

test('concurrent grants all count', async () => {
  const owner = await makeOwner(0)
  await Promise.all(Array.from({ length: 40 }, () => grantCredits(owner.id, 3n)))
  expect(await readOwnerMoney(owner)).toMatchObject({ available: 120 })
})

test('a grant in a transaction that fails is undone', async () => {
  const owner = await makeOwner(0)
  const failing = prisma().$transaction(async (tx) => {
    await grantIn(tx, { ownerId: owner.id, credits: 50n, note: 'gone' })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await readOwnerMoney(owner)).toMatchObject({ available: 0 })
  expect(await findLedgerDifferences()).toEqual([])
})
