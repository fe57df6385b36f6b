import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { holdRequest, makeSpendLimit, takeHold } from '../../tests/support/hold'
import { makeCaller, makeOwner } from '../../tests/support/owners'
import { pollUntil } from '../../tests/support/poll-until'
import { settleById, voidHoldById } from '../../tests/support/settle'
import { mainPool } from '../db'
import { mustQueue, raiseHold, reserveCredits } from './reserve'
import { findLedgerDifferences } from './verify'

const short = (limitSource: string, reserved?: number) => ({
  code: 'insufficient_credits',
  detail: { limitSource, ...(reserved !== undefined && { reserved }) },
})

describe('a call that fits but for what other calls hold', () => {
  test.each(['balance', 'key_budget', 'key_period', 'conversation'])(
    'waits under its %s until they end',
    async (limit) => {
      const { owner, key } = await makeCaller(limit === 'balance' ? 100 : 1_000, {
        ...(limit === 'key_budget' && { budget: 100 }),
        ...(limit === 'key_period' && { recurringBudget: { credits: 100, every: 'day' } }),
      })
      const jobId = limit === 'conversation' ? await makeSpendLimit(owner, 100) : undefined
      const given = { keyId: key.id, ...(jobId && { jobId }) }
      const first = await takeHold(owner, 80, given)
      const waiting = reserveCredits(holdRequest(owner, 50, given))
      await sleep(200)
      await settleById({ id: first, actual: 10n, status: 'ok' })
      expect(await waiting).toEqual({ kind: 'held', amount: 50n })
      expect(await findLedgerDifferences()).toEqual([])
    },
  )

  test('is refused after 2 s with what they hold, and when to come again', async () => {
    const owner = await makeOwner(100)
    await takeHold(owner, 80)
    const begun = performance.now()
    await expect(reserveCredits(holdRequest(owner, 50))).rejects.toMatchObject({
      ...short('balance', 80),
      retryAfter: 2,
    })
    expect(performance.now() - begun).toBeGreaterThan(1_900)
  })

  test('goes on when another process ends the hold', async () => {
    const owner = await makeOwner(100)
    const first = await takeHold(owner, 80)
    const waiting = reserveCredits(holdRequest(owner, 50))
    await sleep(150)
    // As another process would: this one does not see it.
    await mainPool().query(
      "SELECT * FROM credits_settle(ARRAY[$1::uuid], ARRAY[0::bigint], ARRAY[false], ARRAY['void'], '{}', '{}', '{}')",
      [first],
    )
    expect(await waiting).toMatchObject({ amount: 50n })
  })

  test('is not overtaken by a smaller one that came later', async () => {
    const owner = await makeOwner(100)
    const first = await takeHold(owner, 80)
    const order: string[] = []
    const large = reserveCredits(holdRequest(owner, 90)).then(() => order.push('large'))
    await pollUntil('the large one in the queue', () => mustQueue(holdRequest(owner, 5)))
    const small = reserveCredits(holdRequest(owner, 5)).then(() => order.push('small'))
    await sleep(150)
    expect(order).toEqual([])
    await voidHoldById(first)
    await Promise.all([large, small])
    expect(order).toEqual(['large', 'small'])
  })

  test('gives up when its client disconnects, and holds nothing', async () => {
    const owner = await makeOwner(100)
    const first = await takeHold(owner, 80)
    const client = new AbortController()
    const waiting = reserveCredits(holdRequest(owner, 50), client.signal)
    setTimeout(() => client.abort(), 100)
    await expect(waiting).rejects.toMatchObject({ code: 'conflict' })
    await voidHoldById(first)
    expect(await reserveCredits(holdRequest(owner, 100))).toMatchObject({ amount: 100n })
  })

  test('is refused at once where what is spent leaves too little, by that limit', async () => {
    const { owner, key } = await makeCaller(100, { budget: 60 })
    await takeHold(owner, 80)
    const spent = await takeHold(owner, 20, { keyId: key.id })
    await settleById({ id: spent, actual: 20n, status: 'ok' })
    const refused = reserveCredits(holdRequest(owner, 50, { keyId: key.id }))
    await expect(refused).rejects.toMatchObject({ ...short('key_budget'), retryAfter: undefined })
    await expect(refused).rejects.not.toMatchObject({ detail: { reserved: expect.anything() } })
  })

  test('is refused as soon as what they were charged leaves too little', async () => {
    const owner = await makeOwner(100)
    const first = await takeHold(owner, 80)
    const refused = reserveCredits(holdRequest(owner, 50))
    setTimeout(() => void settleById({ id: first, actual: 80n, status: 'ok' }), 100)
    await expect(refused).rejects.toMatchObject(short('balance'))
    await expect(refused).rejects.not.toMatchObject({ detail: { reserved: expect.anything() } })
  })
})

describe('forty calls of 10 credits with 100', () => {
  test('each charged 1, all run, whatever each of them holds', async () => {
    const owner = await makeOwner(100)
    const call = async () => {
      const id = await takeHold(owner, 10)
      await settleById({ id, actual: 1n, status: 'ok' })
    }
    await Promise.all(Array.from({ length: 40 }, call))
    expect(await reserveCredits(holdRequest(owner, 60))).toMatchObject({ amount: 60n })
    expect(await findLedgerDifferences()).toEqual([])
  })
})

describe('a hold that is raised', () => {
  test('takes more, as far as every limit allows', async () => {
    const { owner, key } = await makeCaller(1_000, { budget: 100, recurringBudget: { credits: 90, every: 'day' } })
    const jobId = await makeSpendLimit(owner, 80)
    const request = holdRequest(owner, 20, { keyId: key.id, jobId })
    await reserveCredits(request)
    const raise = (min: number, max: number) =>
      raiseHold({ ...request, minCredits: BigInt(min), maxCredits: BigInt(max) })
    expect(await raise(30, 40)).toBe(40n)
    expect(await raise(30, 60)).toBe(40n)
    expect(await raise(81, 200)).toBe(40n)
    expect(await raise(70, 200)).toBe(80n)
    expect(await findLedgerDifferences()).toEqual([])
    await settleById({ id: request.id, actual: 75n, status: 'ok' })
    expect(await findLedgerDifferences()).toEqual([])
    expect(await raise(200, 300)).toBeLessThan(200n)
  })

  test('counts in the window in which it was taken', async () => {
    const { owner, key } = await makeCaller(1_000, { recurringBudget: { credits: 90, every: 'day' } })
    const request = holdRequest(owner, 20, { keyId: key.id })
    await reserveCredits(request)
    await mainPool().query(
      `UPDATE "key" SET period_start = period_start - interval '2 days', period_end = clock_timestamp() WHERE id = $1`,
      [key.id],
    )
    await sleep(5)
    await takeHold(owner, 90, { keyId: key.id })
    expect(await raiseHold({ ...request, minCredits: 50n, maxCredits: 50n })).toBe(50n)
    await settleById({ id: request.id, actual: 50n, status: 'ok' })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('that does not exist takes nothing', async () => {
    const owner = await makeOwner(100)
    expect(await raiseHold(holdRequest(owner, 20, { minCredits: 10n }))).toBe(0n)
    expect(await reserveCredits(holdRequest(owner, 100))).toMatchObject({ amount: 100n })
  })
})
