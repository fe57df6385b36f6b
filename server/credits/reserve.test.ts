import { describe, expect, test } from 'vitest'
import { hold, holdOf, makeCeiling } from '../../tests/support/hold'
import { moneyOf } from '../../tests/support/ledger'
import { makeCaller, makeKey, makeOwner } from '../../tests/support/make'
import { withOwnDatabase } from '../../tests/support/own-database'
import { settle, voidHold } from '../../tests/support/settle'
import { pool } from '../db'
import { revokeKey } from '../keys/revoke'
import { uuidv7 } from '../kit/id'
import { reserve } from './reserve'
import { verifyLedger } from './verify'

withOwnDatabase()

const refusal = (limitSource: string) => ({ code: 'insufficient_credits', detail: { limitSource } })
const bodyHash = Buffer.alloc(32, 1)

describe('a hold', () => {
  test('takes its most and leaves the rest', async () => {
    const owner = await makeOwner(100)
    expect(await reserve(holdOf(owner, 30))).toEqual({ kind: 'held', amount: 30n })
    expect(await moneyOf(owner)).toEqual({ available: 70, held: 30, charged: 0, receipts: 0, holds: 1 })
  })

  test('may take everything, to the last credit, and not one more', async () => {
    const owner = await makeOwner(100)
    await expect(reserve(holdOf(owner, 101))).rejects.toMatchObject(refusal('balance'))
    expect(await reserve(holdOf(owner, 100))).toMatchObject({ amount: 100n })
    await expect(reserve(holdOf(owner, 1))).rejects.toMatchObject(refusal('balance'))
  })

  test('of nothing is taken from an owner who has nothing', async () => {
    const owner = await makeOwner(0)
    expect(await reserve(holdOf(owner, 0))).toEqual({ kind: 'held', amount: 0n })
    expect(await moneyOf(owner)).toMatchObject({ available: 0, held: 0, holds: 1 })
  })

  test('takes what there is between least and most, and leaves the spare', async () => {
    const owner = await makeOwner(100)
    const between = (least: bigint, spare: bigint) => reserve(holdOf(owner, 500, { least, spare }))
    await expect(between(91n, 10n)).rejects.toMatchObject(refusal('balance'))
    expect(await between(90n, 10n)).toEqual({ kind: 'held', amount: 90n })
    expect(await moneyOf(owner)).toMatchObject({ available: 10, held: 90 })
  })

  test('takes its most when spare and more are left', async () => {
    const owner = await makeOwner(100)
    expect(await reserve(holdOf(owner, 20, { least: 1n, spare: 80n }))).toMatchObject({ amount: 20n })
  })

  test('is refused to an owner who is not there', async () => {
    await expect(reserve(holdOf({ id: 2_000_000_000, email: '' }, 1))).rejects.toMatchObject(refusal('balance'))
  })

  test('says in its refusal what is needed and what is left', async () => {
    const owner = await makeOwner(7)
    await expect(reserve(holdOf(owner, 9))).rejects.toThrow(/9.*\b7\b/)
  })
})

describe('the same id', () => {
  test('again answers the first hold and takes nothing more', async () => {
    const owner = await makeOwner(100)
    const request = holdOf(owner, 30)
    await reserve(request)
    expect(await reserve({ ...request, most: 50n })).toEqual({ kind: 'held', amount: 30n })
    expect(await moneyOf(owner)).toMatchObject({ available: 70, held: 30, holds: 1 })
  })

  test('many times in one batch is one hold', async () => {
    const owner = await makeOwner(100)
    const request = holdOf(owner, 30)
    const answers = await Promise.all(Array.from({ length: 5 }, () => reserve(request)))
    expect(answers).toEqual(Array(5).fill({ kind: 'held', amount: 30n }))
    expect(await moneyOf(owner)).toMatchObject({ available: 70, held: 30, holds: 1 })
  })

  test('many times in one batch is refused each time when the first is', async () => {
    const owner = await makeOwner(10)
    const request = holdOf(owner, 30)
    const answers = await Promise.allSettled(Array.from({ length: 3 }, () => reserve(request)))
    expect(answers.map((a) => a.status)).toEqual(Array(3).fill('rejected'))
    expect(await moneyOf(owner)).toMatchObject({ available: 10, held: 0, holds: 0 })
  })

  test('after its settlement is a conflict, and takes nothing', async () => {
    const owner = await makeOwner(100)
    const request = holdOf(owner, 30)
    await reserve(request)
    await settle({ id: request.id, actual: 30n, status: 'ok' })
    await expect(reserve(request)).rejects.toMatchObject({ code: 'conflict' })
    expect(await moneyOf(owner)).toMatchObject({ available: 70, held: 0, charged: 30 })
  })
})

describe('a key', () => {
  test('counts its hold and refuses beyond its budget', async () => {
    const { owner, key } = await makeCaller(100, { budget: 50 })
    await hold(owner, 30, { keyId: key.id })
    await expect(reserve(holdOf(owner, 21, { keyId: key.id }))).rejects.toMatchObject(refusal('key_budget'))
    expect(await reserve(holdOf(owner, 20, { keyId: key.id }))).toMatchObject({ amount: 20n })
    expect(await reserve(holdOf(owner, 50))).toMatchObject({ amount: 50n })
  })

  test('that is revoked, expired or of another owner takes nothing', async () => {
    const { owner, key } = await makeCaller(100)
    const old = await makeKey(owner)
    const other = await makeCaller(100)
    await revokeKey(owner.id, key.id)
    await pool().query(`UPDATE "key" SET expires_at = now() WHERE id = $1`, [old.id])
    for (const keyId of [key.id, old.id, other.key.id, 2_000_000_000]) {
      await expect(reserve(holdOf(owner, 1, { keyId }))).rejects.toMatchObject({ code: 'unauthorized' })
    }
    expect(await moneyOf(owner)).toMatchObject({ available: 100, held: 0 })
  })
})

describe('a conversation', () => {
  test('refuses beyond its ceiling, over all its calls', async () => {
    const owner = await makeOwner(1_000)
    const limitId = await makeCeiling(owner, 50)
    const first = await hold(owner, 30, { limitId })
    await expect(reserve(holdOf(owner, 21, { limitId }))).rejects.toMatchObject(refusal('conversation'))
    await settle({ id: first, actual: 10n, status: 'ok' })
    expect(await reserve(holdOf(owner, 40, { limitId }))).toMatchObject({ amount: 40n })
    await expect(reserve(holdOf(owner, 1, { limitId }))).rejects.toMatchObject(refusal('conversation'))
  })

  test('shares its ceiling between the calls of one batch', async () => {
    const owner = await makeOwner(1_000)
    const limitId = await makeCeiling(owner, 50)
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => reserve(holdOf(owner, 10, { limitId }))))
    expect(answers.filter((a) => a.status === 'fulfilled')).toHaveLength(5)
  })

  test('that is not there, or another owner’s, has nothing to give', async () => {
    const owner = await makeOwner(1_000)
    const theirs = await makeCeiling(await makeOwner(1_000), 50)
    for (const limitId of [theirs, uuidv7()]) {
      await expect(reserve(holdOf(owner, 1, { limitId }))).rejects.toMatchObject(refusal('conversation'))
    }
    expect(await moneyOf(owner)).toMatchObject({ available: 1_000, held: 0 })
  })

  test('names the tightest of three limits', async () => {
    const { owner, key } = await makeCaller(30, { budget: 20 })
    const limitId = await makeCeiling(owner, 10)
    await expect(reserve(holdOf(owner, 11, { keyId: key.id, limitId }))).rejects.toMatchObject(refusal('conversation'))
    const wide = await makeCeiling(owner, 1_000)
    await expect(reserve(holdOf(owner, 21, { keyId: key.id, limitId: wide }))).rejects.toMatchObject(
      refusal('key_budget'),
    )
    await expect(reserve(holdOf(owner, 31, { limitId: wide }))).rejects.toMatchObject(refusal('balance'))
  })
})

describe('an Idempotency-Key', () => {
  const withToken = async (token: string, hash = bodyHash) => {
    const { owner, key } = await makeCaller(100)
    const ask = (given = {}) => holdOf(owner, 10, { keyId: key.id, idempotency: { token, bodyHash: hash }, ...given })
    return { owner, ask }
  }

  test('is in flight while its hold stands, also within one batch', async () => {
    const { owner, ask } = await withToken('a')
    const answers = await Promise.allSettled([reserve(ask()), reserve(ask()), reserve(ask())])
    expect(answers.map((a) => a.status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    await expect(reserve(ask())).rejects.toMatchObject({ code: 'conflict' })
    expect(await moneyOf(owner)).toMatchObject({ held: 10, holds: 1 })
  })

  test('answers what was stored, with its charge', async () => {
    const { ask, owner } = await withToken('b')
    const first = ask()
    await reserve(first)
    await settle({ id: first.id, actual: 4n, status: 'ok', answer: { status: 200, body: '{"a":1}' } })
    expect(await reserve(ask())).toEqual({ kind: 'replay', answer: { status: 200, body: { a: 1 }, charged: 4n } })
    expect(await moneyOf(owner)).toMatchObject({ available: 96, held: 0, charged: 4 })
  })

  test('is refused with another body, in flight or stored', async () => {
    const { ask } = await withToken('c')
    const first = ask()
    const other = { idempotency: { token: 'c', bodyHash: Buffer.alloc(32, 2) } }
    await reserve(first)
    await expect(reserve(ask(other))).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    await settle({ id: first.id, actual: 4n, status: 'ok', answer: { status: 200, body: '{}' } })
    await expect(reserve(ask(other))).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  })

  test('is free again when its hold is voided', async () => {
    const { ask } = await withToken('d')
    const first = ask()
    await reserve(first)
    await voidHold(first.id)
    expect(await reserve(ask())).toMatchObject({ kind: 'held' })
  })

  test('is not taken by a refused call', async () => {
    const { owner, ask } = await withToken('e')
    await expect(reserve(ask({ most: 101n }))).rejects.toMatchObject(refusal('balance'))
    expect(await reserve(ask())).toMatchObject({ kind: 'held' })
    expect(await moneyOf(owner)).toMatchObject({ held: 10 })
  })

  test('comes before the money: stored answers cost an empty account nothing', async () => {
    const { ask } = await withToken('f')
    const first = ask({ most: 100n })
    await reserve(first)
    await settle({ id: first.id, actual: 100n, status: 'ok', answer: { status: 200, body: '{}' } })
    expect(await reserve(ask({ most: 100n }))).toMatchObject({ kind: 'replay' })
  })
})

test('10 credits and 200 concurrent calls of 1: exactly 10 are held', async () => {
  const owner = await makeOwner(10)
  const answers = await Promise.allSettled(Array.from({ length: 200 }, () => reserve(holdOf(owner, 1))))
  expect(answers.filter((a) => a.status === 'fulfilled')).toHaveLength(10)
  expect(await moneyOf(owner)).toEqual({ available: 0, held: 10, charged: 0, receipts: 0, holds: 10 })
  expect(await verifyLedger()).toEqual([])
})

test('one call that is refused takes none of its batch along', async () => {
  const [rich, poor] = [await makeOwner(100), await makeOwner(0)]
  const answers = await Promise.allSettled([hold(rich, 1), hold(poor, 1), hold(rich, 1), hold(poor, 1)])
  expect(answers.map((a) => a.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
})
