import { describe, expect, test } from 'vitest'
import { holdRequest, takeHold } from '../../tests/support/hold'
import { makeCaller, makeOwner, type TestOwner } from '../../tests/support/owners'
import { settleById, voidHoldById } from '../../tests/support/settle'
import { mainPool } from '../db'
import { COMMAND_LINE } from '../operators/operator'
import { changeOwnerLimits } from '../operators/owner-limits'
import { readAccountLimits } from './account-limits'
import { raiseHold, reserveCredits } from './reserve'
import { findLedgerDifferences } from './verify'

const refusal = { code: 'insufficient_credits', detail: { limitSource: 'account_day' } }

const limitDay = ({ id }: TestOwner, creditsPerDay: number | null) =>
  changeOwnerLimits(COMMAND_LINE, { ownerId: id, creditsPerDay })

async function dayOf({ id }: TestOwner) {
  const { day } = await readAccountLimits(id)
  if (!day) throw new Error('the account has no limit a day')
  return day
}

/** Moves what an owner did so far, and its day, to yesterday. */
async function nextDay({ id }: TestOwner): Promise<void> {
  for (const sql of [
    `UPDATE hold SET created_at = created_at - interval '1 day' WHERE owner_id = $1`,
    `UPDATE account SET day_start = day_start - interval '1 day' WHERE owner_id = $1`,
  ])
    await mainPool().query(sql, [id])
}

describe('a limit of credits a day', () => {
  test('allows its credits and not one more, at any concurrency, over all keys', async () => {
    const { owner, key } = await makeCaller(1_000)
    await limitDay(owner, 50)
    const calls = Array.from({ length: 80 }, (_, i) =>
      reserveCredits(holdRequest(owner, 1, { keyId: i % 2 ? key.id : null })),
    )
    const refused = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(30)
    for (const one of refused) expect(one).toMatchObject({ reason: refusal })
    expect(await dayOf(owner)).toMatchObject({ credits: 50, spent: 0, held: 50, remaining: 0 })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('is refused with an error that says what it leaves', async () => {
    const owner = await makeOwner()
    await limitDay(owner, 7)
    await expect(takeHold(owner, 9)).rejects.toThrow(/the account's daily limit leaves 7/)
  })

  test('counts what calls were charged, and gives back the rest and what is refunded', async () => {
    const owner = await makeOwner()
    await limitDay(owner, 50)
    const id = await takeHold(owner, 40)
    await settleById({ id, actual: 15n, status: 'ok' })
    expect(await dayOf(owner)).toMatchObject({ spent: 15, held: 0, remaining: 35 })
    await voidHoldById(await takeHold(owner, 35))
    expect(await dayOf(owner)).toMatchObject({ spent: 15, remaining: 35 })
    const { rows } = await mainPool().query(`SELECT outcome FROM credits_refund_call($1, 5, 'test')`, [id])
    expect(rows).toEqual([{ outcome: 'done' }])
    expect(await dayOf(owner)).toMatchObject({ spent: 10, remaining: 40 })
    const unanswered = await takeHold(owner, 20)
    await settleById({ id: unanswered, actual: 20n, status: 'ok' })
    expect(await dayOf(owner)).toMatchObject({ spent: 30, remaining: 20 })
    await mainPool().query(`SELECT credits_refund($1, 'void', 'test')`, [unanswered])
    expect(await dayOf(owner)).toMatchObject({ spent: 10, remaining: 40 })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('ends a metered call at what it leaves, and the raise of a hold too', async () => {
    const owner = await makeOwner()
    await limitDay(owner, 50)
    const metered = await takeHold(owner, 10)
    const other = holdRequest(owner, 20)
    await reserveCredits(other)
    expect(await raiseHold({ ...other, minCredits: 45n, maxCredits: 45n })).toBe(20n)
    expect(await settleById({ id: metered, actual: 100n, extend: true, status: 'ok' })).toMatchObject({
      charged: 30n,
      limit: 'account_day',
    })
    expect(await dayOf(owner)).toMatchObject({ spent: 30, held: 20, remaining: 0 })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('begins anew with the next day, and a call counts on the day on which it began', async () => {
    const owner = await makeOwner()
    await limitDay(owner, 50)
    const yesterday = await takeHold(owner, 30)
    await nextDay(owner)
    expect(await dayOf(owner)).toMatchObject({ spent: 0, held: 0, remaining: 50 })
    const today = await takeHold(owner, 50)
    await expect(takeHold(owner, 1)).rejects.toMatchObject({ detail: { limitSource: 'account_day', reserved: 50 } })
    await settleById({ id: yesterday, actual: 30n, status: 'ok' })
    expect(await dayOf(owner)).toMatchObject({ spent: 0, held: 50, remaining: 0 })
    await settleById({ id: today, actual: 20n, status: 'ok' })
    expect(await dayOf(owner)).toMatchObject({ spent: 20, held: 0, remaining: 30 })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('counts what the day has cost when it is set, may be less than that, and holds from the next call', async () => {
    const owner = await makeOwner()
    await settleById({ id: await takeHold(owner, 40), actual: 40n, status: 'ok' })
    await takeHold(owner, 5)
    await limitDay(owner, 30)
    expect(await dayOf(owner)).toMatchObject({ credits: 30, spent: 40, held: 5, remaining: 0 })
    await expect(takeHold(owner, 1)).rejects.toMatchObject(refusal)
    await limitDay(owner, 46)
    await takeHold(owner, 1)
    await limitDay(owner, null)
    await takeHold(owner, 100)
    expect((await readAccountLimits(owner.id)).day).toBeNull()
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('leaves other owners of the same batch alone', async () => {
    const [limited, free] = [await makeOwner(), await makeOwner()]
    await limitDay(limited, 3)
    const outcomes = await Promise.allSettled([limited, free, limited, free].map((owner) => takeHold(owner, 2)))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    const { rows } = await mainPool().query('SELECT day_start, day_held FROM account WHERE owner_id = $1', [free.id])
    expect(rows).toEqual([{ day_start: null, day_held: '0' }])
    expect(await findLedgerDifferences()).toEqual([])
  })
})
