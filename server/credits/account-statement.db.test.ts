import { expect, test } from 'vitest'
import { takeHold } from '../../tests/support/hold'
import { makeOwner, type TestOwner } from '../../tests/support/owners'
import { settleById } from '../../tests/support/settle'
import { mainPool } from '../db'
import { readAccountStatement } from './account-statement'
import { grantCredits } from './grant'
import type { StatementLine } from './shape'
import { sumUpUsage } from './sum-up'
import { localDayOf } from './usage-range'

const timeZone = 'Asia/Kathmandu'

/** Moves everything that an owner has so far some days into the past. */
async function age(owner: TestOwner, days: number): Promise<void> {
  for (const table of ['ledger', 'receipt'])
    await mainPool().query(`UPDATE ${table} SET at = at - make_interval(days => $2) WHERE owner_id = $1`, [
      owner.id,
      days,
    ])
}

async function charge(owner: TestOwner, credits: number): Promise<string> {
  const id = await takeHold(owner, 50)
  await settleById({ id, actual: BigInt(credits), status: 'ok' })
  return id
}

/** Every line, over all pages. */
async function allLines(owner: TestOwner): Promise<StatementLine[]> {
  const lines: StatementLine[] = []
  for (let upTo: string | undefined, page = 0; page < 20; page++) {
    const { lines: part, nextCursor } = await readAccountStatement(owner.id, { timeZone, upTo })
    lines.push(...part)
    if (nextCursor === null) break
    upTo = nextCursor
  }
  return lines
}

/** A grant 100 days ago, calls on three days, a refund of an early call now, a correction. */
async function makeAccount() {
  const owner = await makeOwner(1_000)
  await age(owner, 60)
  const early = await charge(owner, 30)
  await charge(owner, 4)
  await age(owner, 38)
  await sumUpUsage()
  await charge(owner, 7)
  await age(owner, 2)
  await grantCredits(owner.id, 500n, 'paid by card')
  await mainPool().query(`SELECT credits_refund($1, 'void', 'it was wrong')`, [early])
  await grantCredits(owner.id, -3n, 'counted twice')
  await charge(owner, 1)
  return { owner, early }
}

test('has the charges of a day as one line, all else line by line, and the balance after each', async () => {
  const { owner, early } = await makeAccount()
  const lines = await allLines(owner)
  expect(lines.map(({ kind, amount, balance, calls }) => ({ kind, amount, balance, calls }))).toEqual([
    { kind: 'charges', amount: -1, balance: 1_485, calls: 1 },
    { kind: 'correction', amount: -3, balance: 1_486, calls: 0 },
    { kind: 'refund', amount: 30, balance: 1_489, calls: 0 },
    { kind: 'grant', amount: 500, balance: 1_459, calls: 0 },
    { kind: 'charges', amount: -7, balance: 959, calls: 1 },
    { kind: 'charges', amount: -34, balance: 966, calls: 2 },
    { kind: 'grant', amount: 1_000, balance: 1_000, calls: 0 },
  ])
  expect(lines[2]).toMatchObject({ requestId: early, note: 'it was wrong' })
})

test('of a month has its lines only, with the same balances', async () => {
  const { owner } = await makeAccount()
  const all = await allLines(owner)
  for (const month of new Set(all.map(({ day }) => day.slice(0, 7)))) {
    const { lines, nextCursor } = await readAccountStatement(owner.id, { timeZone, month })
    expect(lines).toEqual(all.filter(({ day }) => day.startsWith(month)))
    expect(nextCursor).toBeNull()
  }
})

test('of an owner without credits is empty', async () => {
  const owner = await makeOwner(0)
  expect(await readAccountStatement(owner.id, { timeZone })).toEqual({ lines: [], nextCursor: null })
})

test('has pages of a bounded length, also within a day and a month, that join to the whole', async () => {
  const owner = await makeOwner(0)
  await grantCredits(owner.id, 100n)
  await charge(owner, 9)
  await mainPool().query(`SELECT credits_grant($1, 1, 'n' || i) FROM generate_series(1, 450) i`, [owner.id])
  const month = localDayOf(timeZone).slice(0, 7)
  for (const asked of [{ timeZone }, { timeZone, month }]) {
    const pages: StatementLine[][] = []
    for (let upTo: string | undefined; pages.length < 9; ) {
      const { lines, nextCursor } = await readAccountStatement(owner.id, { ...asked, upTo })
      pages.push(lines)
      if (nextCursor === null) break
      upTo = nextCursor
    }
    expect(pages.map(({ length }) => length)).toEqual([201, 200, 51])
    const lines = pages.flat()
    expect(new Set(lines.map(({ id }) => id)).size).toBe(452)
    expect(lines.map(({ balance, amount }) => balance - amount)).toEqual([
      ...lines.slice(1).map(({ balance }) => balance),
      0,
    ])
  }
})
