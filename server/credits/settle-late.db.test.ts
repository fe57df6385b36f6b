import { beforeEach, describe, expect, test } from 'vitest'
import { makeSpendLimit, takeHold } from '../../tests/support/hold'
import { expireHolder, readOwnerMoney } from '../../tests/support/ledger'
import { makeCaller, makeOwner } from '../../tests/support/owners'
import { findHold } from '../../tests/support/settle'
import { mainPool } from '../db'
import { COMMAND_LINE } from '../operators/operator'
import { changeOwnerLimits } from '../operators/owner-limits'
import { readAccountLimits } from './account-limits'
import type { ReserveRequest } from './hold-request'
import { creditsLost } from './metrics'
import { reserveCredits } from './reserve'
import { settleHold } from './settle'
import type { SettleRequest } from './settlement'
import { sumUpUsage } from './sum-up'
import { sweepHolds } from './sweep'
import { findLedgerDifferences } from './verify'

const lost = async () => (await creditsLost.get()).values[0]?.value ?? 0

const receipt = async (id: string) =>
  (await mainPool().query('SELECT status, charged::int, held::int, detail FROM receipt WHERE id = $1', [id])).rows[0]

/** Takes a hold of 30 credits, sweeps it, and returns its late settlement. */
async function sweptHold(owner: Awaited<ReturnType<typeof makeOwner>>, given: Partial<ReserveRequest> = {}) {
  const id = await takeHold(owner, 30, given)
  const hold = await findHold(id)
  await expireHolder(id)
  await sweepHolds()
  expect(await receipt(id)).toMatchObject({ status: 'expired', charged: 0 })
  return {
    id,
    settle: (more: Partial<SettleRequest> = {}) => settleHold({ ...hold, actual: 12n, status: 'ok', ...more }),
  }
}

let before = 0
beforeEach(async () => {
  before = await lost()
})

describe('a delivered call whose hold was swept', () => {
  test('is charged under every limit of its hold, once', async () => {
    const { owner, key } = await makeCaller(100, { budget: 50, recurringBudget: { credits: 60, every: 'day' } })
    const jobId = await makeSpendLimit(owner, 40)
    const { id, settle } = await sweptHold(owner, { keyId: key.id, jobId })
    expect(await settle({ detail: { durationMs: 5 } })).toEqual({ charged: 12n, expired: false, limit: null })
    expect(await settle()).toMatchObject({ charged: 12n })
    expect(await readOwnerMoney(owner)).toEqual({ available: 88, held: 0, charged: 12, receipts: 1, holds: 0 })
    expect(await receipt(id)).toEqual({ status: 'ok', charged: 12, held: 30, detail: { durationMs: 5 } })
    const { rows } = await mainPool().query(
      `SELECT k.spent::int AS key, k.period_spent::int AS period, l.spent::int AS spend_limit
       FROM "key" k, spend_limit l WHERE k.id = $1 AND l.id = $2`,
      [key.id, jobId],
    )
    expect(rows).toEqual([{ key: 12, period: 12, spend_limit: 12 }])
  })

  test('is charged its hold at most, as its response said', async () => {
    const owner = await makeOwner(100)
    const { settle } = await sweptHold(owner)
    expect(await settle({ actual: 45n })).toMatchObject({ charged: 30n })
  })

  test('is charged what is left where others have spent since: the rest is the operator’s loss', async () => {
    const owner = await makeOwner(40)
    const { id, settle } = await sweptHold(owner)
    const other = await findHold(await takeHold(owner, 35))
    before = await lost()
    expect(await settle()).toEqual({ charged: 5n, expired: false, limit: null })
    expect(await lost()).toBe(before + 7)
    expect(await receipt(id)).toMatchObject({ status: 'ok', charged: 5, detail: { loss: 7 } })
    await settleHold({ ...other, actual: 35n, status: 'ok' })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 0, charged: 40 })
  })

  test('and metered is charged beyond its hold as far as the limits allow, and says which was too small', async () => {
    const { owner, key } = await makeCaller(100, { budget: 50 })
    const { settle } = await sweptHold(owner, { keyId: key.id })
    expect(await settle({ actual: 80n, extend: true })).toEqual({ charged: 50n, expired: false, limit: 'key_budget' })
  })

  test('of a window that has ended is charged without counting in the next one', async () => {
    const { owner, key } = await makeCaller(100, { recurringBudget: { credits: 20, every: 'day' } })
    const id = await takeHold(owner, 20, { keyId: key.id })
    const hold = await findHold(id)
    await expireHolder(id)
    await sweepHolds()
    await mainPool().query(`UPDATE "key" SET period_start = now(), period_spent = 0 WHERE id = $1`, [key.id])
    expect(await settleHold({ ...hold, actual: 15n, status: 'ok' })).toMatchObject({ charged: 15n })
    const { rows } = await mainPool().query('SELECT spent::int, period_spent::int FROM "key" WHERE id = $1', [key.id])
    expect(rows).toEqual([{ spent: 15, period_spent: 0 }])
  })

  test('counts in the limit of the day on which it began, and no further than that leaves', async () => {
    const owner = await makeOwner(100)
    await changeOwnerLimits(COMMAND_LINE, { ownerId: owner.id, creditsPerDay: 40 })
    const { settle } = await sweptHold(owner)
    await takeHold(owner, 15)
    expect(await settle({ actual: 80n, extend: true })).toEqual({ charged: 25n, expired: false, limit: 'account_day' })
    expect((await readAccountLimits(owner.id)).day).toMatchObject({ spent: 25, held: 15, remaining: 0 })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('stays void where it was not delivered', async () => {
    const owner = await makeOwner(100)
    const { id, settle } = await sweptHold(owner)
    expect(await settle({ actual: 0n, status: 'void' })).toMatchObject({ charged: 0n })
    expect(await receipt(id)).toMatchObject({ status: 'expired', charged: 0 })
  })

  test('moves in sums that were made before', async () => {
    const owner = await makeOwner(100)
    const { id, settle } = await sweptHold(owner)
    await mainPool().query(
      `UPDATE receipt SET at = at - interval '1 hour', started_at = started_at - interval '1 hour' WHERE id = $1`,
      [id],
    )
    await sumUpUsage()
    await settle()
    const { rows } = await mainPool().query(
      `SELECT outcome, calls::int, charged::int FROM usage_hour WHERE owner_id = $1 AND key_id = -1 AND calls <> 0`,
      [owner.id],
    )
    expect(rows).toEqual([{ outcome: 'ok', calls: 1, charged: 12 }])
  })
})

describe('its Idempotency-Key', () => {
  const idempotency = { token: 't', bodyHash: Buffer.alloc(32, 1) }
  const answer = { status: 200, body: '{"rows":[]}' }
  const ask = (keyId: number, ownerId: number, id: string) =>
    reserveCredits({
      id,
      ownerId,
      keyId,
      maxCredits: 30n,
      channel: 'rest',
      product: 'tool',
      what: 'test_sample',
      idempotency,
    })

  test('replays the answer that was given', async () => {
    const { owner, key } = await makeCaller(100)
    const { settle } = await sweptHold(owner, { keyId: key.id, idempotency })
    await settle({ answer })
    expect(await ask(key.id, owner.id, crypto.randomUUID())).toEqual({
      kind: 'replay',
      answer: { status: 200, body: { rows: [] }, charged: 12n },
    })
  })

  test('charges the repeat alone where the call was repeated meanwhile', async () => {
    const { owner, key } = await makeCaller(100)
    const { id, settle } = await sweptHold(owner, { keyId: key.id, idempotency })
    const again = crypto.randomUUID()
    expect(await ask(key.id, owner.id, again)).toMatchObject({ kind: 'held' })
    before = await lost()
    expect(await settle({ answer })).toMatchObject({ charged: 0n, expired: true })
    expect(await lost()).toBe(before + 12)
    await settleHold({ ...(await findHold(again)), actual: 9n, status: 'ok', answer })
    expect(await receipt(id)).toMatchObject({ status: 'expired', charged: 0 })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 9, held: 0 })
  })
})

test('the ledger agrees afterwards', async () => {
  expect(await findLedgerDifferences()).toEqual([])
})
