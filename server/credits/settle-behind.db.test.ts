import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { takeHold } from '../../tests/support/hold'
import { lockAccount, readOwnerMoney } from '../../tests/support/ledger'
import { makeOwner, type TestOwner } from '../../tests/support/owners'
import { findHold } from '../../tests/support/settle'
import { mainPool } from '../db'
import { env } from '../env'
import { uuidv7 } from '../kit/id'
import { readDatabaseId } from './database-id'
import { countPendingSettlements, settlePending } from './pending-settlements'
import { reserveCredits } from './reserve'
import { settleHold } from './settle'
import { findLedgerDifferences } from './verify'
import { waitForWriters } from './wait-for-writers'

const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-behind-'))
beforeAll(async () => {
  Object.assign(env(), { DATA_DIR: folder })
  await readDatabaseId()
})
afterEach(async () => {
  vi.restoreAllMocks()
  Object.assign(env(), { DURABLE_ANSWERS: 0 })
  await settlePending(10_000)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
Object.assign(env(), { DURABLE_ANSWERS: 0 })

/** What the tables say now, without waiting for anything. */
async function inTables({ id }: TestOwner) {
  const { rows } = await mainPool().query<{ held: number; receipts: number }>(
    `SELECT held::int, (SELECT count(*)::int FROM receipt WHERE owner_id = $1) AS receipts FROM account WHERE owner_id = $1`,
    [id],
  )
  return rows[0]
}

async function makeCall(held = 30) {
  const owner = await makeOwner(100)
  return { owner, hold: await findHold(await takeHold(owner, held)) }
}

const journals = () => {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.journal'))
  return names.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('')
}

test('a short call is answered when its charge is in the journal, without waiting for the database; then it is written', async () => {
  const { owner, hold } = await makeCall()
  const unlock = await lockAccount(owner)
  expect(await settleHold({ ...hold, actual: 12n, status: 'ok' })).toEqual({
    charged: 12n,
    expired: false,
    limit: null,
  })
  expect(journals()).toContain(hold.id)
  expect(await inTables(owner)).toEqual({ held: 30, receipts: 0 })
  await unlock()
  expect(await settlePending(10_000)).toBe(0)
  expect(await readOwnerMoney(owner)).toEqual({ available: 88, held: 0, charged: 12, receipts: 1, holds: 0 })
  expect(await findLedgerDifferences()).toEqual([])
})

test('a read in this process waits for it', async () => {
  const { owner, hold } = await makeCall()
  await settleHold({ ...hold, actual: 12n, status: 'ok' })
  expect(await waitForWriters(owner.id)).toBe(true)
  expect(await inTables(owner)).toEqual({ held: 0, receipts: 1 })
  expect(await waitForWriters(owner.id)).toBe(false)
})

test('the next call of the account does not meet its hold: the charge goes in the same statement, before it', async () => {
  const owner = await makeOwner(100)
  for (let n = 0; n < 5; n++) {
    const hold = await findHold(await takeHold(owner, 60))
    await settleHold({ ...hold, actual: 1n, status: 'ok' })
  }
  expect(await readOwnerMoney(owner)).toMatchObject({ available: 95, charged: 5, receipts: 5 })
})

test.each([
  ['with DURABLE_ANSWERS=1', {}, { DURABLE_ANSWERS: 1 }],
  ['with an answer to store', { answer: { status: 200, body: '{}' } }, {}],
  ['that failed', { status: 'failed' }, {}],
  ['that is void', { status: 'void', actual: 0n }, {}],
  ['that costs more than it holds', { actual: 50n, extend: true }, {}],
] as const)('a call %s is answered when its charge is committed', async (_what, given, settings) => {
  Object.assign(env(), settings)
  const { owner, hold } = await makeCall()
  await settleHold({ ...hold, actual: 12n, status: 'ok', ...given })
  expect(await inTables(owner)).toMatchObject({ held: 0, receipts: 1 })
})

test('a call that took long is answered when its charge is committed', async () => {
  const owner = await makeOwner(100)
  const id = uuidv7(Date.now() - 300)
  const request = { ownerId: owner.id, keyId: null, channel: 'rest', product: 'tool', what: 'web_search' } as const
  await reserveCredits({ ...request, id, maxCredits: 30n })
  await settleHold({ id, ownerId: owner.id, held: 30n, actual: 12n, status: 'ok' })
  expect(await inTables(owner)).toEqual({ held: 0, receipts: 1 })
})

test('an account that may have one call in progress makes the next at once', async () => {
  const { owner, hold } = await makeCall()
  await mainPool().query('UPDATE account SET max_calls = 1 WHERE owner_id = $1', [owner.id])
  await settleHold({ ...hold, actual: 12n, status: 'ok' })
  await expect(takeHold(owner, 30)).resolves.toEqual(expect.any(String))
})

test('a journal that cannot be written: the answer waits for the commit', async () => {
  const { owner, hold } = await makeCall()
  Object.assign(env(), { DATA_DIR: '/dev/null/nowhere' })
  await settlePending(1_000)
  await settleHold({ ...hold, actual: 12n, status: 'ok' })
  expect(await inTables(owner)).toEqual({ held: 0, receipts: 1 })
  Object.assign(env(), { DATA_DIR: folder })
  expect(countPendingSettlements()).toBe(0)
})
