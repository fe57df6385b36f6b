import { describe, expect, test } from 'vitest'
import { holdRequest, makeSpendLimit, takeHold } from '../../tests/support/hold'
import { readOwnerMoney } from '../../tests/support/ledger'
import { makeCaller, makeKey, makeOwner } from '../../tests/support/owners'
import { settleById, voidHoldById } from '../../tests/support/settle'
import { mainPool } from '../db'
import { revokeKey } from '../keys/revoke'
import { uuidv7 } from '../kit/id'
import { reserveCredits } from './reserve'
import { findLedgerDifferences } from './verify'

const refusal = (limitSource: string) => ({ code: 'insufficient_credits', detail: { limitSource } })
const bodyHash = Buffer.alloc(32, 1)

describe('a hold', () => {
  test('takes its maximum and leaves the rest', async () => {
    const owner = await makeOwner(100)
    expect(await reserveCredits(holdRequest(owner, 30))).toEqual({ kind: 'held', amount: 30n })
    expect(await readOwnerMoney(owner)).toEqual({ available: 70, held: 30, charged: 0, receipts: 0, holds: 1 })
  })

  test('may take everything, down to the last credit, and not more', async () => {
    const owner = await makeOwner(100)
    await expect(reserveCredits(holdRequest(owner, 101))).rejects.toMatchObject(refusal('balance'))
    expect(await reserveCredits(holdRequest(owner, 100))).toMatchObject({ amount: 100n })
    await expect(reserveCredits(holdRequest(owner, 1))).rejects.toMatchObject(refusal('balance'))
  })

  test('of 0 credits is taken from an owner who has none', async () => {
    const owner = await makeOwner(0)
    expect(await reserveCredits(holdRequest(owner, 0))).toEqual({ kind: 'held', amount: 0n })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 0, held: 0, holds: 1 })
  })

  test('takes what is free between its minimum and maximum, and leaves what must remain', async () => {
    const owner = await makeOwner(100)
    const between = (minCredits: bigint, minRemaining: bigint) =>
      reserveCredits(holdRequest(owner, 500, { minCredits, minRemaining }))
    await expect(between(91n, 10n)).rejects.toMatchObject(refusal('balance'))
    expect(await between(90n, 10n)).toEqual({ kind: 'held', amount: 90n })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 10, held: 90 })
  })

  test('takes its maximum when enough remains', async () => {
    const owner = await makeOwner(100)
    expect(await reserveCredits(holdRequest(owner, 20, { minCredits: 1n, minRemaining: 80n }))).toMatchObject({
      amount: 20n,
    })
  })

  test('is refused for an unknown owner', async () => {
    await expect(reserveCredits(holdRequest({ id: 2_000_000_000, email: '' }, 1))).rejects.toMatchObject(
      refusal('balance'),
    )
  })

  test('is refused with an error that says what is needed and what is left', async () => {
    const owner = await makeOwner(7)
    await expect(reserveCredits(holdRequest(owner, 9))).rejects.toThrow(/9.*\b7\b/)
  })
})

describe('the same id', () => {
  test('repeated returns the first hold and takes nothing more', async () => {
    const owner = await makeOwner(100)
    const request = holdRequest(owner, 30)
    await reserveCredits(request)
    expect(await reserveCredits({ ...request, maxCredits: 50n })).toEqual({ kind: 'held', amount: 30n })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 70, held: 30, holds: 1 })
  })

  test('many times in one batch is one hold', async () => {
    const owner = await makeOwner(100)
    const request = holdRequest(owner, 30)
    const answers = await Promise.all(Array.from({ length: 5 }, () => reserveCredits(request)))
    expect(answers).toEqual(Array(5).fill({ kind: 'held', amount: 30n }))
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 70, held: 30, holds: 1 })
  })

  test('many times in one batch is refused each time when the first is', async () => {
    const owner = await makeOwner(10)
    const request = holdRequest(owner, 30)
    const answers = await Promise.allSettled(Array.from({ length: 3 }, () => reserveCredits(request)))
    expect(answers.map((a) => a.status)).toEqual(Array(3).fill('rejected'))
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 10, held: 0, holds: 0 })
  })

  test('after its settlement is a conflict, and takes nothing', async () => {
    const owner = await makeOwner(100)
    const request = holdRequest(owner, 30)
    await reserveCredits(request)
    await settleById({ id: request.id, actual: 30n, status: 'ok' })
    await expect(reserveCredits(request)).rejects.toMatchObject({ code: 'conflict' })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 70, held: 0, charged: 30 })
  })
})

describe('a key', () => {
  test('counts its holds and refuses calls beyond its budget', async () => {
    const { owner, key } = await makeCaller(100, { budget: 50 })
    await takeHold(owner, 30, { keyId: key.id })
    await expect(reserveCredits(holdRequest(owner, 21, { keyId: key.id }))).rejects.toMatchObject(refusal('key_budget'))
    expect(await reserveCredits(holdRequest(owner, 20, { keyId: key.id }))).toMatchObject({ amount: 20n })
    expect(await reserveCredits(holdRequest(owner, 50))).toMatchObject({ amount: 50n })
  })

  test('that is revoked, expired or of another owner takes nothing', async () => {
    const { owner, key } = await makeCaller(100)
    const old = await makeKey(owner)
    const other = await makeCaller(100)
    await revokeKey(owner.id, key.id)
    await mainPool().query(`UPDATE "key" SET expires_at = now() WHERE id = $1`, [old.id])
    for (const keyId of [key.id, old.id, other.key.id, 2_000_000_000]) {
      await expect(reserveCredits(holdRequest(owner, 1, { keyId }))).rejects.toMatchObject({ code: 'unauthorized' })
    }
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 100, held: 0 })
  })
})

describe('a conversation', () => {
  test('refuses calls beyond its spend limit, over all its calls', async () => {
    const owner = await makeOwner(1_000)
    const jobId = await makeSpendLimit(owner, 50)
    const first = await takeHold(owner, 30, { jobId })
    await expect(reserveCredits(holdRequest(owner, 21, { jobId }))).rejects.toMatchObject(refusal('conversation'))
    await settleById({ id: first, actual: 10n, status: 'ok' })
    expect(await reserveCredits(holdRequest(owner, 40, { jobId }))).toMatchObject({ amount: 40n })
    await expect(reserveCredits(holdRequest(owner, 1, { jobId }))).rejects.toMatchObject(refusal('conversation'))
  })

  test('shares its spend limit between the calls of one batch', async () => {
    const owner = await makeOwner(1_000)
    const jobId = await makeSpendLimit(owner, 50)
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => reserveCredits(holdRequest(owner, 10, { jobId }))),
    )
    expect(answers.filter((a) => a.status === 'fulfilled')).toHaveLength(5)
  })

  test('that does not exist or belongs to another owner has nothing to spend', async () => {
    const owner = await makeOwner(1_000)
    const theirs = await makeSpendLimit(await makeOwner(1_000), 50)
    for (const jobId of [theirs, uuidv7()]) {
      await expect(reserveCredits(holdRequest(owner, 1, { jobId }))).rejects.toMatchObject(refusal('conversation'))
    }
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, held: 0 })
  })

  test('names the tightest of three limits', async () => {
    const { owner, key } = await makeCaller(30, { budget: 20 })
    const jobId = await makeSpendLimit(owner, 10)
    await expect(reserveCredits(holdRequest(owner, 11, { keyId: key.id, jobId }))).rejects.toMatchObject(
      refusal('conversation'),
    )
    const wide = await makeSpendLimit(owner, 1_000)
    await expect(reserveCredits(holdRequest(owner, 21, { keyId: key.id, jobId: wide }))).rejects.toMatchObject(
      refusal('key_budget'),
    )
    await expect(reserveCredits(holdRequest(owner, 31, { jobId: wide }))).rejects.toMatchObject(refusal('balance'))
  })
})

describe('an Idempotency-Key', () => {
  const withToken = async (token: string, hash = bodyHash) => {
    const { owner, key } = await makeCaller(100)
    const ask = (given = {}) =>
      holdRequest(owner, 10, { keyId: key.id, idempotency: { token, bodyHash: hash }, ...given })
    return { owner, ask }
  }

  test('is in flight while its hold exists, also within one batch', async () => {
    const { owner, ask } = await withToken('a')
    const answers = await Promise.allSettled([reserveCredits(ask()), reserveCredits(ask()), reserveCredits(ask())])
    expect(answers.map((a) => a.status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    await expect(reserveCredits(ask())).rejects.toMatchObject({ code: 'conflict' })
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 10, holds: 1 })
  })

  test('returns what was stored, with its charge', async () => {
    const { ask, owner } = await withToken('b')
    const first = ask()
    await reserveCredits(first)
    await settleById({ id: first.id, actual: 4n, status: 'ok', answer: { status: 200, body: '{"a":1}' } })
    expect(await reserveCredits(ask())).toEqual({
      kind: 'replay',
      answer: { status: 200, body: { a: 1 }, charged: 4n },
    })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 96, held: 0, charged: 4 })
  })

  test('is refused with another body, in flight or stored', async () => {
    const { ask } = await withToken('c')
    const first = ask()
    const other = { idempotency: { token: 'c', bodyHash: Buffer.alloc(32, 2) } }
    await reserveCredits(first)
    await expect(reserveCredits(ask(other))).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    await settleById({ id: first.id, actual: 4n, status: 'ok', answer: { status: 200, body: '{}' } })
    await expect(reserveCredits(ask(other))).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  })

  test('is free again when its hold is voided', async () => {
    const { ask } = await withToken('d')
    const first = ask()
    await reserveCredits(first)
    await voidHoldById(first.id)
    expect(await reserveCredits(ask())).toMatchObject({ kind: 'held' })
  })

  test('is not used up by a refused call', async () => {
    const { owner, ask } = await withToken('e')
    await expect(reserveCredits(ask({ maxCredits: 101n }))).rejects.toMatchObject(refusal('balance'))
    expect(await reserveCredits(ask())).toMatchObject({ kind: 'held' })
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 10 })
  })

  test('is checked before the balance: a stored response costs an empty account nothing', async () => {
    const { ask } = await withToken('f')
    const first = ask({ maxCredits: 100n })
    await reserveCredits(first)
    await settleById({ id: first.id, actual: 100n, status: 'ok', answer: { status: 200, body: '{}' } })
    expect(await reserveCredits(ask({ maxCredits: 100n }))).toMatchObject({ kind: 'replay' })
  })
})

test('10 credits and 200 concurrent calls of 1: exactly 10 are held', async () => {
  const owner = await makeOwner(10)
  const answers = await Promise.allSettled(Array.from({ length: 200 }, () => reserveCredits(holdRequest(owner, 1))))
  expect(answers.filter((a) => a.status === 'fulfilled')).toHaveLength(10)
  expect(await readOwnerMoney(owner)).toEqual({ available: 0, held: 10, charged: 0, receipts: 0, holds: 10 })
  expect(await findLedgerDifferences()).toEqual([])
})

test('a refused call does not fail its batch', async () => {
  const [rich, poor] = [await makeOwner(100), await makeOwner(0)]
  const answers = await Promise.allSettled([takeHold(rich, 1), takeHold(poor, 1), takeHold(rich, 1), takeHold(poor, 1)])
  expect(answers.map((a) => a.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
})
