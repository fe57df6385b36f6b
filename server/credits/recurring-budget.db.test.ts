import { describe, expect, test } from 'vitest'
import { holdRequest, takeHold } from '../../tests/support/hold'
import { makeCaller, makeKey, makeOwner, type TestOwner } from '../../tests/support/owners'
import { settleById, voidHoldById } from '../../tests/support/settle'
import { mainPool } from '../db'
import { changeKey } from '../keys/change'
import { getKey } from '../keys/list'
import { reserveCredits } from './reserve'
import { findLedgerDifferences } from './verify'

const refusal = (limitSource: string) => ({ code: 'insufficient_credits', detail: { limitSource } })
const daily = (credits: number) => ({ recurringBudget: { credits, every: 'day' as const } })

const budgetOf = async ({ id }: TestOwner, keyId: number) => {
  const { recurringBudget } = await getKey(id, keyId)
  if (!recurringBudget) throw new Error('the key has no recurring budget')
  return recurringBudget
}

/** Lets the present window of a key end after every hold of so far, as its day would. */
async function endWindow(keyId: number): Promise<void> {
  await mainPool().query(
    `UPDATE "key" SET period_start = period_start - interval '2 days',
       period_end = date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond' WHERE id = $1`,
    [keyId],
  )
  await mainPool().query('SELECT pg_sleep(0.003)')
}

describe('a recurring budget', () => {
  test('allows its credits and not one more, at any concurrency', async () => {
    const { owner, key } = await makeCaller(1_000, daily(50))
    const calls = Array.from({ length: 80 }, () => reserveCredits(holdRequest(owner, 1, { keyId: key.id })))
    const outcomes = await Promise.allSettled(calls)
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(outcomes.length - refused.length).toBe(50)
    expect(refused).toHaveLength(30)
    for (const one of refused) expect(one).toMatchObject({ reason: refusal('key_period') })
    expect(await budgetOf(owner, key.id)).toMatchObject({ spent: 0, held: 50, remaining: 0 })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('is refused with an error that says what it leaves', async () => {
    const { owner, key } = await makeCaller(1_000, daily(7))
    await expect(reserveCredits(holdRequest(owner, 9, { keyId: key.id }))).rejects.toThrow(/recurring budget.*\b7\b/)
  })

  test('counts what calls were charged, and releases the rest', async () => {
    const { owner, key } = await makeCaller(1_000, daily(50))
    const id = await takeHold(owner, 40, { keyId: key.id })
    await settleById({ id, actual: 15n, status: 'ok' })
    expect(await budgetOf(owner, key.id)).toMatchObject({ spent: 15, held: 0, remaining: 35 })
    await voidHoldById(await takeHold(owner, 35, { keyId: key.id }))
    expect(await budgetOf(owner, key.id)).toMatchObject({ spent: 15, remaining: 35 })
    await mainPool().query(`SELECT credits_refund($1, 'void', 'test')`, [id])
    expect(await budgetOf(owner, key.id)).toMatchObject({ spent: 0, remaining: 50 })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('pays from its new window for what a metered call costs beyond its hold', async () => {
    const { owner, key } = await makeCaller(10_000, daily(1_000))
    const id = await takeHold(owner, 100, { keyId: key.id })
    const early = await takeHold(owner, 900, { keyId: key.id })
    await settleById({ id: early, actual: 900n, status: 'ok' })
    await endWindow(key.id)
    const settled = await settleById({ id, actual: 300n, extend: true, status: 'ok' })
    expect(settled).toEqual({ charged: 300n, expired: false, limit: null })
    expect(await budgetOf(owner, key.id)).toMatchObject({ spent: 200, held: 0, remaining: 800 })
    expect(await findLedgerDifferences()).toEqual([])
    await mainPool().query('SELECT * FROM credits_refund_call($1, 250, $2)', [id, 'test'])
    expect(await budgetOf(owner, key.id)).toMatchObject({ spent: 0, remaining: 1_000 })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('begins anew when its window ends; what was held before counts in the window before', async () => {
    const { owner, key } = await makeCaller(1_000, daily(50))
    const before = await takeHold(owner, 50, { keyId: key.id })
    await expect(takeHold(owner, 1, { keyId: key.id })).rejects.toMatchObject(refusal('key_period'))
    await endWindow(key.id)
    expect(await budgetOf(owner, key.id)).toMatchObject({ spent: 0, held: 0, remaining: 50 })
    const after = await takeHold(owner, 50, { keyId: key.id })
    await settleById({ id: before, actual: 50n, status: 'ok' })
    expect(await budgetOf(owner, key.id)).toMatchObject({ spent: 0, held: 50, remaining: 0 })
    await settleById({ id: after, actual: 20n, status: 'ok' })
    expect(await budgetOf(owner, key.id)).toMatchObject({ spent: 20, held: 0, remaining: 30 })
    expect(await getKey(owner.id, key.id)).toMatchObject({ spent: 70, held: 0 })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('limits a call that costs more than its hold; one from the window before, by what the new one leaves', async () => {
    const { owner, key } = await makeCaller(1_000, daily(50))
    const extend = (id: string) => settleById({ id, actual: 90n, status: 'ok', extend: true })
    const first = await takeHold(owner, 30, { keyId: key.id })
    expect(await extend(first)).toMatchObject({ charged: 50n, limit: 'key_period' })
    await endWindow(key.id)
    const second = await takeHold(owner, 10, { keyId: key.id })
    await endWindow(key.id)
    await takeHold(owner, 5, { keyId: key.id })
    expect(await extend(second)).toMatchObject({ charged: 55n, limit: 'key_period' })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('is beside the lifetime budget: what leaves less refuses', async () => {
    const { owner, key } = await makeCaller(1_000, { budget: 20, ...daily(50) })
    await expect(takeHold(owner, 21, { keyId: key.id })).rejects.toMatchObject(refusal('key_budget'))
    const other = await makeKey(owner, { budget: 50, ...daily(20) })
    await expect(takeHold(owner, 21, { keyId: other.id })).rejects.toMatchObject(refusal('key_period'))
  })

  test('of one key does not limit another in the same batch', async () => {
    const owner = await makeOwner(100)
    const [limited, free] = [await makeKey(owner, daily(5)), await makeKey(owner)]
    const outcomes = await Promise.allSettled(
      [limited, free, limited, free].map(({ id }) => reserveCredits(holdRequest(owner, 4, { keyId: id }))),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  })
})

describe('a recurring budget that is set later', () => {
  test('counts of a call from the period before only what it cost beyond its hold', async () => {
    const { owner, key } = await makeCaller(10_000)
    const id = await takeHold(owner, 100, { keyId: key.id })
    await mainPool().query("UPDATE hold SET created_at = created_at - interval '32 days' WHERE id = $1", [id])
    await settleById({ id, actual: 300n, extend: true, status: 'ok' })
    await changeKey(owner.id, key.id, daily(1_000))
    expect(await budgetOf(owner, key.id)).toMatchObject({ spent: 200, held: 0, remaining: 800 })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('counts what this period has spent and holds already', async () => {
    const { owner, key } = await makeCaller(1_000)
    await settleById({ id: await takeHold(owner, 12, { keyId: key.id }), actual: 12n, status: 'ok' })
    const held = await takeHold(owner, 8, { keyId: key.id })
    await changeKey(owner.id, key.id, { recurringBudget: { credits: 30, every: 'month' } })
    expect(await budgetOf(owner, key.id)).toMatchObject({ spent: 12, held: 8, remaining: 10 })
    await settleById({ id: held, actual: 3n, status: 'ok' })
    expect(await budgetOf(owner, key.id)).toMatchObject({ spent: 15, held: 0, remaining: 15 })
    await expect(
      changeKey(owner.id, key.id, { recurringBudget: { credits: 14, every: 'week' } }),
    ).rejects.toMatchObject({ code: 'invalid_request' })
    await changeKey(owner.id, key.id, { recurringBudget: null })
    expect((await getKey(owner.id, key.id)).recurringBudget).toBeNull()
    expect(await findLedgerDifferences()).toEqual([])
  })

  test.each([
    ['day', 'Pacific/Auckland'],
    ['week', 'America/New_York'],
    ['month', 'Asia/Kolkata'],
    ['day', 'UTC'],
  ] as const)('ends with the %s in %s', async (every, timeZone) => {
    const { owner, key } = await makeCaller()
    await mainPool().query('UPDATE owner SET time_zone = $2 WHERE id = $1', [owner.id, timeZone])
    await changeKey(owner.id, key.id, { recurringBudget: { credits: 10, every } })
    const resetsAt = new Date((await budgetOf(owner, key.id)).resetsAt)
    expect(resetsAt > new Date()).toBe(true)
    const [weekday, day, time] = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
      .formatToParts(resetsAt)
      .reduce<[string, string, string]>(
        ([w, d, t], { type, value }) => [
          type === 'weekday' ? value : w,
          type === 'day' ? value : d,
          type === 'hour' || type === 'minute' ? t + value : t,
        ],
        ['', '', ''],
      )
    expect(time).toBe('0000')
    if (every === 'week') expect(weekday).toBe('Mon')
    if (every === 'month') expect(day).toBe('1')
    // The next one is computed without the database, and must agree with it.
    await endWindow(key.id)
    const shown = (await budgetOf(owner, key.id)).resetsAt
    await takeHold(owner, 1, { keyId: key.id })
    expect((await budgetOf(owner, key.id)).resetsAt).toBe(shown)
  })
})

describe('a window begins at', () => {
  // Clocks in Havana show 0:30 twice on 1 November 2026: at 4:30 and at 5:30, UTC.
  test.each([
    ['America/Havana', '2026-11-01T04:30:00Z', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
    ['America/Havana', '2026-11-01T05:30:00Z', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
    ['America/Havana', '2026-10-31T12:00:00Z', '2026-10-31T04:00:00Z', '2026-11-01T04:00:00Z'],
    // In Cairo they skip midnight in spring, and repeat the hour before it in autumn.
    ['Africa/Cairo', '2026-04-24T12:00:00Z', '2026-04-23T22:00:00Z', '2026-04-24T21:00:00Z'],
    ['Africa/Cairo', '2026-10-29T20:30:00Z', '2026-10-28T21:00:00Z', '2026-10-29T22:00:00Z'],
    ['UTC', '2026-11-01T04:30:00Z', '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'],
  ])('the first midnight of a day in %s, at %s', async (zone, at, begins, ends) => {
    const { rows } = await mainPool().query(`SELECT * FROM budget_period('day', $1, $2)`, [zone, at])
    expect(rows).toEqual([{ begins: new Date(begins), ends: new Date(ends) }])
  })
})
