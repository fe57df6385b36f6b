import { describe, expect, test } from 'vitest'
import { holdRequest, makeSpendLimit, takeHold } from '../../tests/support/hold'
import { readOwnerMoney } from '../../tests/support/ledger'
import { makeCaller, makeOwner } from '../../tests/support/owners'
import { findHold, settleById, voidHoldById } from '../../tests/support/settle'
import { mainPool } from '../db'
import { uuidv7 } from '../kit/id'
import { creditsLost } from './metrics'
import { reserveCredits } from './reserve'
import { settleHold } from './settle'
import { writeSettlements } from './settlement'
import { findLedgerDifferences } from './verify'

const ok = { status: 'ok' } as const
const receiptOf = async (id: string) => (await mainPool().query('SELECT * FROM receipt WHERE id = $1', [id])).rows[0]

describe('a settlement', () => {
  test('charges what the call cost and releases the rest', async () => {
    const { owner, key } = await makeCaller(100, { budget: 50 })
    const id = await takeHold(owner, 30, { keyId: key.id })
    expect(await settleById({ id, actual: 12n, ...ok })).toEqual({ charged: 12n, expired: false, limit: null })
    expect(await readOwnerMoney(owner)).toEqual({ available: 88, held: 0, charged: 12, receipts: 1, holds: 0 })
    const { rows } = await mainPool().query('SELECT spent::int, held::int FROM "key" WHERE id = $1', [key.id])
    expect(rows).toEqual([{ spent: 12, held: 0 }])
    expect(await receiptOf(id)).toMatchObject({ held: '30', charged: '12', status: 'ok', what: 'test_sample' })
  })

  test('charges the hold at most; the rest is counted as the operator’s loss', async () => {
    const owner = await makeOwner(100)
    const id = await takeHold(owner, 30)
    const lost = async () => (await creditsLost.get()).values[0]?.value ?? 0
    const before = await lost()
    expect(await settleById({ id, actual: 45n, ...ok })).toMatchObject({ charged: 30n, limit: null })
    expect(await lost()).toBe(before + 15)
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 70, charged: 30 })
  })

  test('of 0 credits writes a receipt and no ledger row', async () => {
    const owner = await makeOwner(100)
    const id = await takeHold(owner, 30)
    await voidHoldById(id)
    expect(await receiptOf(id)).toMatchObject({ charged: '0', status: 'void' })
    expect((await mainPool().query('SELECT 1 FROM ledger WHERE hold_id = $1', [id])).rowCount).toBe(0)
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 100, held: 0 })
  })

  test('of a negative cost charges nothing', async () => {
    const owner = await makeOwner(100)
    expect(await settleById({ id: await takeHold(owner, 30), actual: -5n, ...ok })).toMatchObject({ charged: 0n })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 100 })
  })

  test('repeated returns the first charge, also with another cost', async () => {
    const owner = await makeOwner(100)
    const id = await takeHold(owner, 30)
    await settleById({ id, actual: 12n, ...ok })
    expect(await settleById({ id, actual: 30n, ...ok })).toMatchObject({ charged: 12n, expired: false })
    expect(await voidHoldById(id)).toMatchObject({ charged: 12n, expired: false })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 88, charged: 12, receipts: 1 })
  })

  test('many times in one batch charges once', async () => {
    const owner = await makeOwner(100)
    const hold = await findHold(await takeHold(owner, 30))
    const all = await Promise.all([12n, 30n, 1n].map((actual) => settleHold({ ...hold, actual, ...ok })))
    expect(all.map((s) => s.charged)).toEqual([12n, 12n, 12n])
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 88, charged: 12, receipts: 1 })
  })

  test('of an unknown hold charges nothing', async () => {
    expect(await settleById({ id: uuidv7(), actual: 5n, ...ok })).toMatchObject({ charged: 0n, expired: true })
  })

  test('stores any error text, and does not fail its batch', async () => {
    const owner = await makeOwner(100)
    const ids = await Promise.all(Array.from({ length: 3 }, () => takeHold(owner, 10)))
    const texts = ['a\0b', 'half a pair \ud83d', 'plain']
    await Promise.all(ids.map((id, i) => settleById({ id, actual: 1n, status: 'failed', detail: { error: texts[i] } })))
    expect((await receiptOf(ids[0] as string)).detail).toEqual({ error: 'ab' })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 97, held: 0, charged: 3 })
  })
})

describe('an extended settlement', () => {
  test('takes more than the hold from the balance', async () => {
    const owner = await makeOwner(100)
    const id = await takeHold(owner, 30)
    expect(await settleById({ id, actual: 80n, extend: true, ...ok })).toMatchObject({ charged: 80n, limit: null })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 20, held: 0, charged: 80 })
  })

  test('takes less than the hold when it cost less', async () => {
    const owner = await makeOwner(100)
    expect(await settleById({ id: await takeHold(owner, 30), actual: 3n, extend: true, ...ok })).toMatchObject({
      charged: 3n,
    })
  })

  test('ends at the balance, not touching other holds', async () => {
    const owner = await makeOwner(100)
    await takeHold(owner, 50)
    const id = await takeHold(owner, 30)
    expect(await settleById({ id, actual: 80n, extend: true, ...ok })).toMatchObject({ charged: 50n, limit: 'balance' })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 0, held: 50, charged: 50 })
  })

  test('ends at the key’s budget', async () => {
    const { owner, key } = await makeCaller(100, { budget: 40 })
    const id = await takeHold(owner, 30, { keyId: key.id })
    expect(await settleById({ id, actual: 80n, extend: true, ...ok })).toMatchObject({
      charged: 40n,
      limit: 'key_budget',
    })
  })

  test('ends at the conversation’s spend limit', async () => {
    const owner = await makeOwner(100)
    const jobId = await makeSpendLimit(owner, 35)
    const id = await takeHold(owner, 30, { jobId })
    expect(await settleById({ id, actual: 80n, extend: true, ...ok })).toMatchObject({
      charged: 35n,
      limit: 'conversation',
    })
  })

  test('shares what is free with the others of its batch', async () => {
    const { owner, key } = await makeCaller(1_000, { budget: 100 })
    const jobId = await makeSpendLimit(owner, 90)
    const ids = await Promise.all(Array.from({ length: 4 }, () => takeHold(owner, 10, { keyId: key.id, jobId })))
    const all = await Promise.all(ids.map((id) => settleById({ id, actual: 40n, extend: true, ...ok })))
    // Whichever comes first takes most.
    expect(all.map((s) => Number(s.charged)).sort((a, b) => b - a)).toEqual([40, 30, 10, 10])
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 910, held: 0, charged: 90 })
  })

  test('that exhausts the credits stores the limit instead of a response', async () => {
    const { owner, key } = await makeCaller(50)
    const ask = () => holdRequest(owner, 10, { keyId: key.id, idempotency: { token: 't', bodyHash: Buffer.alloc(32) } })
    const first = ask()
    await reserveCredits(first)
    const answer = { status: 200, body: '{"secret":true}' }
    await settleById({ id: first.id, actual: 80n, extend: true, answer, ...ok })
    expect(await reserveCredits(ask())).toMatchObject({
      kind: 'replay',
      answer: { status: 402, charged: 50n, body: { code: 'insufficient_credits', limitSource: 'balance' } },
    })
  })
})

test('a hold that appears while its settlement waits for a lock is settled, and its batch with it', async () => {
  const [one, two] = [await makeOwner(100), await makeOwner(100)]
  const first = await takeHold(one, 30)
  const second = holdRequest(two, 30)
  const other = await mainPool().connect()
  await other.query('BEGIN')
  await other.query('SELECT 1 FROM account WHERE owner_id = $1 FOR UPDATE', [one.id])
  const both = writeSettlements([
    { ...(await findHold(first)), actual: 5n, ...ok },
    { id: second.id, ownerId: two.id, held: 30n, actual: 5n, ...ok },
  ])
  const waits =
    'SELECT 1 FROM pg_stat_activity WHERE wait_event_type = $1 AND query LIKE $2 AND datname = current_database()'
  await expect.poll(async () => (await mainPool().query(waits, ['Lock', '%credits_settle%'])).rowCount).toBe(1)
  await reserveCredits(second)
  await other.query('COMMIT')
  other.release()
  expect((await both).map((s) => s.charged)).toEqual(['5', '5'])
  expect(await readOwnerMoney(one)).toMatchObject({ available: 95, held: 0 })
  expect(await readOwnerMoney(two)).toMatchObject({ available: 95, held: 0 })
})

test('a hold whose key does not exist is refused, not settled without ledger rows', async () => {
  const owner = await makeOwner(100)
  const id = await takeHold(owner, 30)
  await mainPool().query('UPDATE hold SET key_id = 2147483647 WHERE id = $1', [id])
  const sql = `SELECT * FROM credits_settle(ARRAY[$1::uuid], ARRAY[5::bigint], ARRAY[false], ARRAY['ok'], ARRAY[NULL::jsonb],
    ARRAY[NULL::int], ARRAY[NULL::text])`
  await expect(mainPool().query(sql, [id])).rejects.toMatchObject({ code: '40001' })
  await mainPool().query('UPDATE hold SET key_id = NULL WHERE id = $1', [id])
  expect(await settleById({ id, actual: 5n, ...ok })).toMatchObject({ charged: 5n })
})

test('the ledger agrees afterwards', async () => {
  expect(await findLedgerDifferences()).toEqual([])
})
