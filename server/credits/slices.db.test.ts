import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeTestBudget } from '../../tests/support/budget'
import { holdRequest } from '../../tests/support/hold'
import { expireLeases, lockAccount, readOwnerMoney } from '../../tests/support/ledger'
import { makeCaller, makeKey, type TestOwner } from '../../tests/support/owners'
import { randomOf } from '../../tests/support/random'
import { inTransaction, mainPool } from '../db'
import { env } from '../env'
import { revokeKey } from '../keys/revoke'
import { hashSecret } from '../keys/secret'
import type { KeyWithSecret } from '../keys/shape'
import { readDatabaseId } from './database-id'
import { retryDeadSettlement } from './dead-settlement'
import type { ReserveRequest } from './hold-request'
import { journalText, parseJournalText } from './journal-entry'
import { settleForAnother, settlePending } from './pending-settlements'
import { enterAndHold } from './reserve'
import { settleHold } from './settle'
import { slicedCall } from './sliced-calls'
import { endSlices, sliceTiming } from './slices'
import { sweepHolds } from './sweep'
import { findLedgerDifferences } from './verify'
import { voidProcessHolds } from './void-process-holds'

const ADMIT_MS = sliceTiming.admitMs
/** For what must not end by itself meanwhile. */
const LONG_MS = 60_000

const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-slices-'))
beforeAll(async () => {
  Object.assign(env(), { DATA_DIR: folder, DURABLE_ANSWERS: 0 })
  await readDatabaseId()
})
afterEach(async () => {
  sliceTiming.admitMs = ADMIT_MS
  await endSlices()
  await settlePending(10_000)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Of a key's grants that were never changed. */
const VERSION = 1

type Caller = { owner: TestOwner; key: KeyWithSecret }

/** Enters with a key and takes a hold, as a call does. */
async function enter({ owner, key }: Caller, credits: number, given: Partial<ReserveRequest> = {}) {
  const request = holdRequest(owner, credits, { keyId: key.id, ...given })
  const entered = await enterAndHold(request, { hash: hashSecret(key.key), version: VERSION })
  if (entered.key.state === 'ok' && !entered.hold) throw new Error('nothing was held')
  if (entered.hold?.kind === 'refused') throw entered.hold.error
  return { id: request.id, ownerId: owner.id, held: BigInt(credits), state: entered.key.state, rate: entered.key }
}

const settle = ({ id, ownerId, held }: Awaited<ReturnType<typeof enter>>, actual = held) =>
  settleHold({ id, ownerId, held, actual, status: 'ok' })

/** Calls one after the other, until the key has a slice, which stays; returns how many. */
async function makeBusy(caller: Caller, credits = 10): Promise<number> {
  sliceTiming.admitMs = LONG_MS
  for (let calls = 1; ; calls++) {
    await settle(await enter(caller, credits))
    if ((await slicesOf(caller)).length > 0) return calls
    expect(calls).toBeLessThan(100)
  }
}

async function slicesOf({ owner }: Caller): Promise<{ id: string; amount: number; calls: number }[]> {
  const { rows } = await mainPool().query(
    'SELECT id, amount::int, calls FROM hold WHERE owner_id = $1 AND calls IS NOT NULL',
    [owner.id],
  )
  return rows
}

async function receiptsOf({ owner }: Caller) {
  const { rows } = await mainPool().query<{ status: string; held: number; charged: number }>(
    'SELECT status, held::int, charged::int FROM receipt WHERE owner_id = $1 ORDER BY at, charged',
    [owner.id],
  )
  return rows
}

test('a busy key has calls admitted without the database, each with its receipt and its charge', async () => {
  const caller = await makeCaller(1_000_000)
  const before = await makeBusy(caller)
  const unlock = await lockAccount(caller.owner)
  const [first, second] = [await enter(caller, 10), await enter(caller, 10)]
  await settle(first, 7n)
  await settle(second, 9n)
  await unlock()
  await endSlices()
  const charged = before * 10 + 16
  expect(await readOwnerMoney(caller.owner)).toEqual({
    ...{ available: 1_000_000 - charged, held: 0, charged, receipts: before + 2, holds: 0 },
  })
  expect(await findLedgerDifferences()).toEqual([])
})

test('what is left of the minute goes down by one with each call, and counts all of them', async () => {
  const caller = await makeCaller(1_000_000, { rpm: 5_000 })
  const left: (number | null)[] = []
  for (let n = 0; n < 40; n++) {
    const call = await enter(caller, 10)
    left.push(call.rate.remaining)
    await settle(call)
  }
  expect(left).toEqual(Array.from({ length: 40 }, (_, n) => 4_999 - n))
  await endSlices(caller.owner.id)
  const { rows } = await mainPool().query('SELECT count FROM rate_window WHERE id = $1', [`key:${caller.key.id}`])
  expect(rows).toEqual([{ count: 40 }])
})

test('a call that outlives its slice has a hold of its own, and is charged once', async () => {
  const caller = await makeCaller(1_000_000)
  const before = await makeBusy(caller)
  sliceTiming.admitMs = ADMIT_MS
  const call = await enter(caller, 50)
  const holds = () => mainPool().query('SELECT id, amount::int, calls FROM hold WHERE owner_id = $1', [caller.owner.id])
  await expect.poll(async () => (await holds()).rows).toEqual([{ id: call.id, amount: 50, calls: null }])
  expect(await settle(call, 45n)).toMatchObject({ charged: 45n })
  expect(await readOwnerMoney(caller.owner)).toMatchObject({ held: 0, charged: before * 10 + 45, holds: 0 })
  expect(await findLedgerDifferences()).toEqual([])
})

test('a key that was revoked is refused from when that is answered, whoever has slices of it', async () => {
  const caller = await makeCaller(1_000_000)
  await makeBusy(caller)
  sliceTiming.admitMs = ADMIT_MS
  await revokeKey(caller.owner.id, caller.key.id)
  for (let n = 0; n < 5; n++) expect((await enter(caller, 10)).state).toBe('revoked')
})

test('an account that was suspended without a word to this process is refused within the time of a slice', async () => {
  const caller = await makeCaller(1_000_000)
  await makeBusy(caller)
  sliceTiming.admitMs = ADMIT_MS
  await mainPool().query(`UPDATE account SET suspended_for = 'spam' WHERE owner_id = $1`, [caller.owner.id])
  await sleep(ADMIT_MS)
  for (let n = 0; n < 5; n++) expect((await enter(caller, 10)).state).toBe('suspended')
})

test('a call that costs more than its hold takes from what is free, slices included', async () => {
  const caller = await makeCaller(1_000)
  const before = await makeBusy(caller, 1)
  const call = await enter(caller, 1)
  const free = 1_000 - before
  const settled = await settleHold({ ...call, actual: 5_000n, extend: true, status: 'ok' })
  expect(settled).toMatchObject({ charged: BigInt(free), limit: 'balance' })
  expect(await readOwnerMoney(caller.owner)).toMatchObject({ available: 0, held: 0, charged: 1_000 })
  expect(await findLedgerDifferences()).toEqual([])
})

test('near a limit there is no slice, and every credit can be spent', async () => {
  const caller = await makeCaller(1_003)
  const spend = async (): Promise<number> => {
    for (let calls = 0; ; calls++) {
      const call = await enter(caller, 7).catch((error: Error) => error)
      if (call instanceof Error) {
        expect(call).toMatchObject({ code: 'insufficient_credits' })
        return calls
      }
      await settle(call)
    }
  }
  const calls = await Promise.all(Array.from({ length: 12 }, spend))
  expect(calls.reduce((sum, n) => sum + n, 0)).toBe(Math.floor(1_003 / 7))
  expect(await readOwnerMoney(caller.owner)).toMatchObject({ available: 1_003 % 7, held: 0, holds: 0 })
  expect(await findLedgerDifferences()).toEqual([])
})

test('an account that may have few calls in progress has them, and no more, also where slices take some', async () => {
  const caller = await makeCaller(1_000_000)
  await mainPool().query('UPDATE account SET max_calls = 60 WHERE owner_id = $1', [caller.owner.id])
  const spend = async () => {
    for (let n = 0; n < 60; n++) {
      const call = await enter(caller, 10)
      await sleep(1)
      await settle(call)
    }
  }
  await Promise.all(Array.from({ length: 12 }, spend))
  const open = await Promise.all(Array.from({ length: 60 }, () => enter(caller, 10)))
  await expect(enter(caller, 10)).rejects.toMatchObject({ code: 'rate_limited' })
  await Promise.all(open.map((call) => settle(call)))
  expect(await findLedgerDifferences()).toEqual([])
})

test('a key lets in the requests of its minute, and no more', async () => {
  const caller = await makeCaller(1_000_000, { rpm: 150 })
  const states: string[] = []
  for (let n = 0; n < 170; n++) {
    const call = await enter(caller, 10)
    states.push(call.state)
    if (call.state === 'ok') await settle(call)
  }
  expect(states).toEqual([...Array(150).fill('ok'), ...Array(20).fill('limited')])
})

test('of a process that has to go at once, calls in progress charge nothing, and nothing stays held', async () => {
  const caller = await makeCaller(1_000_000)
  const before = await makeBusy(caller)
  const [answered, open] = [await enter(caller, 10), await enter(caller, 10)]
  await settle(answered, 8n)
  await voidProcessHolds()
  await settlePending(5_000)
  // Its answer has been cut off by then.
  await settle(open, 9n)
  await settlePending(5_000)
  expect(await readOwnerMoney(caller.owner)).toMatchObject({ held: 0, charged: before * 10 + 8, holds: 0 })
  expect(await findLedgerDifferences()).toEqual([])
})

test('a charge that the database refused is written when an operator tries it again', async () => {
  const caller = await makeCaller(1_000_000)
  const before = await makeBusy(caller)
  const { id, ownerId, held } = await enter(caller, 10)
  // Of a process that ended, whose journal is all that there is of the call.
  const request = { id, ownerId, held, actual: 8n, status: 'ok', slice: slicedCall(id) } as const
  const settled = await inTransaction((tx) => retryDeadSettlement(tx, request))
  expect(settled).toMatchObject({ outcome: 'done', charged: '8' })
  expect(await inTransaction((tx) => retryDeadSettlement(tx, request))).toMatchObject({
    outcome: 'again',
    charged: '8',
  })
  expect(await readOwnerMoney(caller.owner)).toMatchObject({ held: 0, charged: before * 10 + 8, holds: 0 })
  expect(await findLedgerDifferences()).toEqual([])
})

test('two settlements of a call in one statement charge it once, and fail nobody', async () => {
  const [caller, other] = [await makeCaller(1_000_000), await makeCaller(1_000)]
  const before = await makeBusy(caller)
  const call = await enter(caller, 10)
  const request = { id: call.id, ownerId: call.ownerId, held: 10n, actual: 6n, status: 'failed' } as const
  const theirs = await enter(other, 5)
  const [first, second] = await Promise.all([settleHold(request), settleHold({ ...request }), settle(theirs)])
  expect([first.charged, second.charged]).toEqual([6n, 6n])
  expect(await readOwnerMoney(caller.owner)).toMatchObject({ charged: before * 10 + 6, held: 0 })
  expect(await readOwnerMoney(other.owner)).toMatchObject({ charged: 5, held: 0 })
})

test('of a process that ended, answered calls are charged, and what was held ahead comes back', async () => {
  const caller = await makeCaller(1_000_000)
  const before = await makeBusy(caller)
  const [answered, late, lost] = [await enter(caller, 10), await enter(caller, 10), await enter(caller, 10)]
  const slice = slicedCall(answered.id)
  const leftOf = async () => (await slicesOf(caller)).find(({ id }) => id === slice?.of)?.calls ?? 0
  const callsLeft = await leftOf()
  // As another process reads it in the journal.
  const { id, ownerId, held } = answered
  const entry = parseJournalText(
    journalText({ why: 'write', request: { id, ownerId, held, actual: 8n, status: 'ok', slice } }),
  )
  if (!entry || 'journal' in entry) throw new Error('no entry')
  settleForAnother(entry)
  await settlePending(5_000)
  expect(await leftOf()).toBe(callsLeft - 1)
  await expireLeases()
  await sweepHolds()
  expect(await slicesOf(caller)).toEqual([])
  expect(await settle(late, 9n)).toMatchObject({ charged: 9n })
  await endSlices()
  await settlePending(5_000)
  const receipts = (await receiptsOf(caller)).slice(before)
  expect(receipts.filter(({ status }) => status === 'ok').map(({ charged }) => charged)).toEqual([8, 9])
  expect(receipts.filter(({ charged }) => charged === 0).every(({ status }) => status === 'expired')).toBe(true)
  expect(lost.id).toBeTruthy()
  expect(await readOwnerMoney(caller.owner)).toMatchObject({ held: 0, charged: before * 10 + 17, holds: 0 })
  expect(await findLedgerDifferences()).toEqual([])
})

/** What was spent and is held under each budget of an owner, by name. */
async function budgetsOf({ id }: TestOwner) {
  const { rows } = await mainPool().query<{ name: string; spent: number; held: number }>(
    'SELECT name, spent::int, held::int FROM spend_limit WHERE owner_id = $1 ORDER BY name',
    [id],
  )
  return rows
}

test('calls under budgets of the account are admitted, each kind from slices of its own, and count in them', async () => {
  const caller = await makeCaller(1_000_000)
  await makeTestBudget(caller.owner, { name: 'all', credits: 1_000_000, window: 'month' })
  await makeTestBudget(caller.owner, { name: 'prices', credits: 1_000_000, scope: { tools: ['prices'] } })
  const before = await makeBusy(caller)
  const slices = await slicesOf(caller)
  const other = { what: 'prices' }
  // Rare ones take none.
  for (let n = 0; n < 3; n++) await settle(await enter(caller, 10, other))
  expect((await slicesOf(caller)).map(({ id }) => id)).toEqual(slices.map(({ id }) => id))
  let others = 3
  for (; (await slicesOf(caller)).length === slices.length; others++) {
    await settle(await enter(caller, 10, other))
    expect(others).toBeLessThan(100)
  }
  const unlock = await lockAccount(caller.owner)
  const calls = [await enter(caller, 10), await enter(caller, 10, other), await enter(caller, 10, other)]
  for (const [n, call] of calls.entries()) await settle(call, BigInt(5 + n))
  await unlock()
  await endSlices()
  const charged = (before + others) * 10 + 18
  expect(await readOwnerMoney(caller.owner)).toMatchObject({
    held: 0,
    charged,
    receipts: before + others + 3,
    holds: 0,
  })
  expect(await budgetsOf(caller.owner)).toEqual([
    { name: 'all', spent: charged, held: 0 },
    { name: 'prices', spent: others * 10 + 13, held: 0 },
  ])
  expect(await findLedgerDifferences()).toEqual([])
})

test('near the end of a budget there is no slice, and every credit of it can be spent', async () => {
  const caller = await makeCaller(1_000_000)
  await makeTestBudget(caller.owner, { name: 'small', credits: 500 })
  for (let n = 0; n < 50; n++) await settle(await enter(caller, 10))
  await expect(enter(caller, 10)).rejects.toMatchObject({ code: 'insufficient_credits' })
  expect(await budgetsOf(caller.owner)).toEqual([{ name: 'small', spent: 500, held: 0 }])
})

test('a budget that is made while a key has slices counts its calls from the time of a slice later', async () => {
  const caller = await makeCaller(1_000_000)
  await makeBusy(caller)
  sliceTiming.admitMs = ADMIT_MS
  await makeTestBudget(caller.owner, { name: 'late', credits: 25 })
  await sleep(2 * ADMIT_MS)
  await settle(await enter(caller, 10))
  await settle(await enter(caller, 10))
  await expect(enter(caller, 10)).rejects.toMatchObject({ code: 'insufficient_credits' })
  expect(await budgetsOf(caller.owner)).toEqual([{ name: 'late', spent: 20, held: 0 }])
})

test('a call of a slice that was taken in a window counts in that one, and the next begins with what follows', async () => {
  const caller = await makeCaller(1_000_000)
  await makeTestBudget(caller.owner, { name: 'month', credits: 1_000_000, window: 'month' })
  await makeBusy(caller)
  await mainPool().query('UPDATE spend_limit SET ends_at = clock_timestamp() WHERE owner_id = $1', [caller.owner.id])
  const [open, ended] = [await enter(caller, 10), await enter(caller, 10)]
  await settle(ended)
  await endSlices()
  await settle(open)
  await settlePending(5_000)
  expect(await budgetsOf(caller.owner)).toEqual([{ name: 'month', spent: 0, held: 0 }])
  sliceTiming.admitMs = ADMIT_MS
  await settle(await enter(caller, 7))
  await settlePending(5_000)
  expect(await budgetsOf(caller.owner)).toEqual([{ name: 'month', spent: 7, held: 0 }])
  expect(await findLedgerDifferences()).toEqual([])
})

test('of a process that ended, calls under a budget are charged to it, also once their slice was swept', async () => {
  const caller = await makeCaller(1_000_000)
  await makeTestBudget(caller.owner, { name: 'all', credits: 1_000_000, window: 'month' })
  const before = await makeBusy(caller)
  const { id, ownerId, held } = await enter(caller, 10)
  const request = { id, ownerId, held, actual: 8n, status: 'ok', slice: slicedCall(id) } as const
  const text = journalText({ why: 'write', request })
  await expireLeases()
  await sweepHolds()
  const entry = parseJournalText(text)
  if (!entry || 'journal' in entry) throw new Error('the entry cannot be read')
  settleForAnother(entry)
  await settlePending(5_000)
  expect(await readOwnerMoney(caller.owner)).toMatchObject({ held: 0, charged: before * 10 + 8, holds: 0 })
  expect(await budgetsOf(caller.owner)).toEqual([{ name: 'all', spent: before * 10 + 8, held: 0 }])
  expect(await findLedgerDifferences()).toEqual([])
})

test.each([
  [3, false],
  [11, false],
  [29, false],
  [3, true],
  [11, true],
])(
  'random calls of busy keys never spend more than a limit, and every charge is one that was answered (seed %i, budgets: %s)',
  async (seed, isBudgeted) => {
    const random = randomOf(seed)
    const { owner, key } = await makeCaller(40_000)
    const tight = await makeKey(owner, { budget: 9_000 })
    const callers = [
      { owner, key },
      { owner, key: tight },
    ]
    if (isBudgeted) {
      await makeTestBudget(owner, { name: 'all', credits: 30_000, window: 'month' })
      await makeTestBudget(owner, { name: 'prices', credits: 8_000, scope: { tools: ['prices'] } })
    }
    const prices = { spent: 0 }
    const answered = new Map([key, tight].map(({ id }) => [id, 0n]))
    const call = async (caller: Caller): Promise<void> => {
      const what = random(3) === 0 ? 'prices' : 'test_sample'
      const held = await enter(caller, 1 + random(12), { what }).catch((error: Error) => error)
      if (held instanceof Error) return expect(held).toMatchObject({ code: 'insufficient_credits' })
      if (random(12) === 0) await sleep(random(4 * ADMIT_MS))
      else if (random(3) === 0) await sleep(random(4))
      const { id, ownerId, held: amount } = held
      const actual = amount + BigInt(random(4) === 0 ? random(9) : -random(Number(amount)))
      const status = random(20) === 0 ? 'failed' : 'ok'
      const { charged } = await settleHold({ id, ownerId, held: amount, actual, status, extend: random(2) === 0 })
      answered.set(caller.key.id, (answered.get(caller.key.id) ?? 0n) + charged)
      if (what === 'prices') prices.spent += Number(charged)
    }
    const client = async (caller: Caller) => {
      for (let n = 0; n < 400; n++) {
        await call(caller)
        if (random(60) === 0) await readOwnerMoney(owner)
      }
    }
    await Promise.all(Array.from({ length: 16 }, (_, n) => client(callers[n % 2] as Caller)))
    const money = await readOwnerMoney(owner)
    const sum = [...answered.values()].reduce((all, one) => all + one, 0n)
    expect(money).toMatchObject({ held: 0, holds: 0, charged: Number(sum), available: 40_000 - Number(sum) })
    const { rows } = await mainPool().query(
      'SELECT id, spent::int, held::int FROM "key" WHERE owner_id = $1 ORDER BY id',
      [owner.id],
    )
    expect(rows).toEqual([key, tight].map(({ id }) => ({ id, spent: Number(answered.get(id)), held: 0 })))
    expect(Number(answered.get(tight.id))).toBeLessThanOrEqual(9_000)
    if (isBudgeted) {
      expect(await budgetsOf(owner)).toEqual([
        { name: 'all', spent: Number(sum), held: 0 },
        { name: 'prices', ...prices, held: 0 },
      ])
      expect(Number(sum)).toBeLessThanOrEqual(30_000)
      expect(prices.spent).toBeLessThanOrEqual(8_000)
    }
    expect(await findLedgerDifferences()).toEqual([])
  },
)
