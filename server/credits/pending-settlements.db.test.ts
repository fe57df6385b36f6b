import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { takeHold } from '../../tests/support/hold'
import { readOwnerMoney } from '../../tests/support/ledger'
import { withoutDatabase } from '../../tests/support/lost-database'
import { makeCaller, makeOwner } from '../../tests/support/owners'
import { findHold } from '../../tests/support/settle'
import { mainPool } from '../db'
import { env } from '../env'
import { uuidv7 } from '../kit/id'
import { settlementsDead } from './metrics'
import { countPendingSettlements, settleLater, settlePending } from './pending-settlements'
import { settleHold } from './settle'
import { findLedgerDifferences } from './verify'

const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-pending-'))
beforeAll(() => Object.assign(env(), { DATA_DIR: folder }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ok = { status: 'ok' } as const

const receiptOf = async (id: string) => (await mainPool().query('SELECT * FROM receipt WHERE id = $1', [id])).rows[0]

describe('a pending settlement', () => {
  test('is written exactly once when the database is available again', async () => {
    const owner = await makeOwner(100)
    const taken = await findHold(await takeHold(owner, 30))
    expect(await withoutDatabase(() => settleHold({ ...taken, actual: 12n, ...ok }))).toMatchObject({ charged: 12n })
    settleLater({ ...taken, actual: 30n, ...ok })
    expect(countPendingSettlements()).toBe(1)
    expect(await settlePending(5_000)).toBe(0)
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 88, charged: 12, receipts: 1 })
  })

  test('charges the hold at most, as its response said', async () => {
    const owner = await makeOwner(100)
    const taken = await findHold(await takeHold(owner, 30))
    expect(await withoutDatabase(() => settleHold({ ...taken, actual: 45n, ...ok }))).toMatchObject({ charged: 30n })
    await settlePending(5_000)
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 70, charged: 30 })
  })

  test('does not wait for one that the database refuses, which is put aside after its last attempt, with its hold', async () => {
    const [wrong, owner] = [await makeOwner(100), await makeOwner(100)]
    const [bad, good] = [await findHold(await takeHold(wrong, 10)), await findHold(await takeHold(owner, 30))]
    // Books that disagree with their hold: a settlement of it breaks a check.
    await mainPool().query('UPDATE account SET held = 5 WHERE owner_id = $1', [wrong.id])
    settleLater({ ...bad, actual: 1n, ...ok })
    settleLater({ ...good, actual: 12n, ...ok })
    await settlePending()
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 12, held: 0 })
    const dead = async () => (await mainPool().query('SELECT * FROM settlement_dead WHERE id = $1', [bad.id])).rows
    for (let i = 0; i < 20 && countPendingSettlements() > 0; i++) await settlePending()
    expect(await dead()).toMatchObject([{ owner_id: wrong.id, attempts: 12, request: { id: bad.id, actual: '1' } }])
    expect(countPendingSettlements()).toBe(0)
    expect((await settlementsDead.get()).values[0]?.value).toBe(1)
    await mainPool().query('UPDATE account SET held = 10 WHERE owner_id = $1', [wrong.id])
    await settleHold({ ...bad, actual: 0n, status: 'void' })
  })

  test('of a hold that may appear later is tried until the hold appears', async () => {
    const owner = await makeOwner(100)
    const id = uuidv7()
    settleLater({ id, ownerId: owner.id, held: 0n, actual: 0n, status: 'void' }, 'maybe')
    expect(await settlePending()).toBe(0)
    await takeHold(owner, 30, { id })
    await settlePending()
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 100, held: 0, holds: 0 })
  })
})

describe('an unknown charge', () => {
  const metered = { extend: true, patienceMs: 600, ...ok } as const

  test('is void when the database stays unavailable, and the call fails with 503', async () => {
    const owner = await makeOwner(100)
    const taken = await findHold(await takeHold(owner, 30))
    const settled = withoutDatabase(() => settleHold({ ...taken, actual: 80n, ...metered }))
    await expect(settled).rejects.toMatchObject({ code: 'unavailable' })
    expect(await settlePending(5_000)).toBe(0)
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 100, held: 0, charged: 0, receipts: 1 })
  })

  test('that was written although the call failed with 503 is refunded', async () => {
    const { owner, key } = await makeCaller(100, { budget: 90 })
    const taken = await findHold(await takeHold(owner, 30, { keyId: key.id }))
    await settleHold({ ...taken, actual: 80n, ...metered })
    settleLater({ ...taken, actual: 0n, status: 'void' }, 'undo')
    expect(await settlePending()).toBe(0)
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 100, held: 0, charged: 0, receipts: 1 })
    expect(await receiptOf(taken.id)).toMatchObject({ charged: '0', status: 'void', detail: { refunded: 80 } })
    const { rows } = await mainPool().query('SELECT spent::int FROM "key" WHERE id = $1', [key.id])
    expect(rows).toEqual([{ spent: 0 }])
    settleLater({ ...taken, actual: 0n, status: 'void' }, 'undo')
    await settlePending()
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 100, charged: 0 })
  })
})

test('the ledger agrees afterwards', async () => {
  await mainPool().query('DELETE FROM settlement_dead')
  expect(await findLedgerDifferences()).toEqual([])
})
