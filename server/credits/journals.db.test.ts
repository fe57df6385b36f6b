import fs, { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { takeHold } from '../../tests/support/hold'
import { expireLeases, lockAccount, readOwnerMoney } from '../../tests/support/ledger'
import { withoutDatabase } from '../../tests/support/lost-database'
import { makeOwner, type TestOwner } from '../../tests/support/owners'
import { pollUntil } from '../../tests/support/poll-until'
import { findHold } from '../../tests/support/settle'
import { mainPool } from '../db'
import { env } from '../env'
import { frameLine, readFramedLines } from '../kit/framed-lines'
import { uuidv7 } from '../kit/id'
import { log } from '../kit/log'
import { readHolds, retrySettlement } from '../operators/holds'
import { COMMAND_LINE } from '../operators/operator'
import { readDatabaseId } from './database-id'
import { countPendingSettlements, isSettlementPending, settleLater, settlePending } from './pending-settlements'
import { replayJournals } from './replay-journals'
import { type Hold, settleHold } from './settle'
import { findLedgerDifferences } from './verify'

const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-journal-'))
const journalFolder = path.join(folder, 'journal')
const names = () => {
  try {
    return readdirSync(journalFolder)
  } catch {
    return []
  }
}
beforeAll(async () => {
  Object.assign(env(), { DATA_DIR: folder })
  mkdirSync(journalFolder)
  await readDatabaseId()
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ok = { status: 'ok' } as const

/** An owner of 100 credits with a hold of 30 that a journal of a dead process settles at 12. */
async function makeCall() {
  const owner = await makeOwner(100)
  const { id } = await findHold(await takeHold(owner, 30))
  const request = { id, ownerId: owner.id, held: '30', actual: '12', status: 'ok' }
  return { owner, id, line: JSON.stringify({ why: 'write', request }) }
}

const head = async (databaseId?: string) =>
  JSON.stringify({ journal: 1, databaseId: databaseId ?? (await readDatabaseId()), holderId: uuidv7() })

/** Writes a journal of a process that nobody knows any more. */
function leave(lines: readonly Buffer[], holder = uuidv7()): string {
  const name = `${holder}-0.journal`
  writeFileSync(path.join(journalFolder, name), Buffer.concat(lines))
  return name
}

const removeAll = () => {
  for (const name of names()) rmSync(path.join(journalFolder, name))
}

const charged = async (owner: TestOwner) => (await readOwnerMoney(owner)).charged

/** Settlements of some holds at 12 credits each, as calls make them while the database is away. */
async function makeCalls(count: number) {
  const owner = await makeOwner(100)
  const holds = await Promise.all(Array.from({ length: count }, async () => findHold(await takeHold(owner, 30))))
  const ids = holds.map(({ id }) => id)
  const settle = async (hold: Hold | undefined) => {
    if (hold) expect(await settleHold({ ...hold, actual: 12n, ...ok })).toMatchObject({ charged: 12n })
  }
  return { owner, ids, settle: () => settle(holds.shift()) }
}

const linesOf = (name = '') => readFramedLines(readFileSync(path.join(journalFolder, name)))

/** Lets `write` take as much as a full disk does: some bytes, then none. */
function fillDisk(): () => void {
  const { writeSync } = fs
  const fs_: { writeSync: unknown } = fs
  fs_.writeSync = (fd: number, bytes: Buffer, at: number, _length: number, to: number) => {
    if (at > 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    return writeSync(fd, bytes, at, 20, to)
  }
  syncBuiltinESMExports()
  return () => {
    fs_.writeSync = writeSync
    syncBuiltinESMExports()
  }
}

describe('the journal of this process', () => {
  test('names its database, has a framed line for each settlement that waits, and goes when none does', async () => {
    const { owner, ids, settle } = await makeCalls(1)
    await withoutDatabase(async () => {
      await settle()
      const [first = '', ...entries] = linesOf(names()[0]).lines
      expect(JSON.parse(first)).toMatchObject({ journal: 1, databaseId: await readDatabaseId() })
      expect(entries.map((line) => JSON.parse(line))).toMatchObject([
        { why: 'write', request: { id: ids[0], ownerId: owner.id, held: '30', actual: '12', status: 'ok' } },
      ])
    })
    await settlePending(5_000)
    expect(names()).toEqual([])
    expect(await charged(owner)).toBe(12)
  })

  test('on a full disk loses no line that it took, says so each time, and gets the rest when it has space again', async () => {
    const failed = vi.spyOn(log, 'error')
    const failures = () =>
      failed.mock.calls.filter((logged: unknown[]) => logged[1] === 'the settlement journal cannot be written')
    const { owner, settle } = await makeCalls(3)
    await withoutDatabase(async () => {
      await settle()
      const emptyDisk = fillDisk()
      await settle()
      await settle()
      emptyDisk()
      expect(failures().length).toBeGreaterThanOrEqual(2)
      const before = linesOf(names()[0])
      expect({ ...before, lines: before.lines.length }).toEqual({ lines: 2, damaged: 0, isTorn: false })
      await settlePending()
      const { lines, damaged } = linesOf(names()[0])
      expect({ lines: lines.length, damaged }).toEqual({ lines: 4, damaged: 0 })
    })
    expect(await settlePending(5_000)).toBe(0)
    expect(await charged(owner)).toBe(36)
  })

  test('is written anew when another process took this one for dead and removed it', async () => {
    const { owner, ids, settle } = await makeCalls(2)
    await withoutDatabase(async () => {
      await settle()
      removeAll()
      await settle()
      expect(linesOf(names()[0]).lines.join()).toContain(ids[1])
      await settlePending()
      expect(linesOf(names()[0]).lines).toHaveLength(3)
    })
    await settlePending(5_000)
    expect(await charged(owner)).toBe(24)
    expect(names()).toEqual([])
  })

  test('is written to its end where the last line came while the others were being written', async () => {
    const { owner, ids, settle } = await makeCalls(1)
    const { owner: other, ids: others } = await makeCalls(1)
    const unlock = await lockAccount(owner)
    const settled = settle()
    for (const id of ids) await pollUntil('the one that is locked', () => isSettlementPending(id))
    const first = settlePending()
    await new Promise(setImmediate)
    for (const id of others) settleLater({ id, ownerId: other.id, held: 30n, actual: 12n, status: 'ok', extend: false })
    const all = settlePending()
    await unlock()
    await Promise.all([settled, first])
    expect(await all).toBe(0)
    expect([await charged(owner), await charged(other)]).toEqual([12, 12])
  })

  test('that cannot be written fails no call', async () => {
    const { owner, settle } = await makeCalls(1)
    Object.assign(env(), { DATA_DIR: '/dev/null' })
    await withoutDatabase(settle)
    Object.assign(env(), { DATA_DIR: folder })
    await settlePending(5_000)
    expect(await charged(owner)).toBe(12)
  })
})

describe('the journal of a dead process', () => {
  test('is written by the next one, but for the line that the crash cut short, and removed', async () => {
    const { owner, line } = await makeCall()
    leave([frameLine(await head()), frameLine(line), frameLine(line).subarray(0, 40)])
    expect(await replayJournals()).toBe(1)
    expect(await charged(owner)).toBe(12)
    expect(names()).toEqual([])
    expect(await replayJournals()).toBe(0)
  })

  test('of the previous release is written, too', async () => {
    const { owner, line } = await makeCall()
    writeFileSync(path.join(journalFolder, `${uuidv7()}.jsonl`), `${line}\n${line.slice(0, 40)}`)
    expect(await replayJournals()).toBe(1)
    expect(await charged(owner)).toBe(12)
    expect(names()).toEqual([])
  })

  test('with damage is written as far as it can be read, and kept', async () => {
    const [one, two] = [await makeCall(), await makeCall()]
    const broken = frameLine(one.line).subarray(0, 60)
    const name = leave([frameLine(await head()), broken, frameLine(two.line)])
    expect(await replayJournals()).toBe(1)
    expect([await charged(one.owner), await charged(two.owner)]).toEqual([0, 12])
    expect(names()).toEqual([name])
    const { keptJournals, inJournals } = await readHolds()
    expect({ keptJournals, inJournals }).toEqual({
      keptJournals: [{ file: name, why: 'damaged', settlements: 1, credits: 12 }],
      inJournals: 0,
    })
    removeAll()
  })

  test('of another database is neither written nor removed, and shown', async () => {
    const { owner, line } = await makeCall()
    const name = leave([frameLine(await head('another')), frameLine(line)])
    expect(await replayJournals({ isStart: true })).toBe(0)
    expect(await charged(owner)).toBe(0)
    expect((await readHolds()).keptJournals).toEqual([
      { file: name, why: 'other_database', settlements: 1, credits: 12 },
    ])
    removeAll()
  })

  test('has a call that this database does not know: it is put aside, and counts as no loss until it is given up', async () => {
    const { owner } = await makeCall()
    const request = { id: uuidv7(), ownerId: owner.id, held: '30', actual: '12', status: 'ok' }
    leave([frameLine(await head()), frameLine(JSON.stringify({ why: 'write', request }))])
    await replayJournals()
    expect(countPendingSettlements()).toBe(0)
    const { putAside } = await readHolds()
    expect(putAside.rows).toMatchObject([
      { id: request.id, held: null, error: expect.stringContaining('no such call') },
    ])
    expect(await findLedgerDifferences()).toEqual([])
    expect(await retrySettlement(COMMAND_LINE, request.id)).toBe(0)
    expect((await readHolds()).putAside.all).toBe(0)
  })

  test('waits beside one of an owner whose rows are locked, and is kept until it is written', async () => {
    const { owner, line } = await makeCall()
    const name = leave([frameLine(await head()), frameLine(line)])
    const unlock = await lockAccount(owner)
    await replayJournals().finally(unlock)
    expect(names()).toEqual([name])
    await settlePending(15_000)
    await replayJournals()
    expect(names()).toEqual([])
    expect(await charged(owner)).toBe(12)
  })
})

describe('the journal of a process with a lease', () => {
  const makeHolder = async () => {
    const holder = uuidv7()
    await mainPool().query('SELECT credits_renew($1)', [holder])
    return holder
  }

  test('is left to it, but for the start of a process that may be its successor, which removes nothing', async () => {
    const holder = await makeHolder()
    const { owner, line } = await makeCall()
    const name = leave([frameLine(await head()), frameLine(line)], holder)
    expect(await replayJournals()).toBe(0)
    expect(await charged(owner)).toBe(0)
    expect(await replayJournals({ isStart: true })).toBe(1)
    expect(await charged(owner)).toBe(12)
    expect(names()).toEqual([name])
    removeAll()
  })

  test('is written while it is cut off, again when it has grown, and removed when it did not come back', async () => {
    const [one, two] = [await makeCall(), await makeCall()]
    const holder = await makeHolder()
    const lines = [frameLine(await head()), frameLine(one.line)]
    const name = leave(lines, holder)
    await expireLeases()
    expect(await replayJournals()).toBe(1)
    leave([...lines, frameLine(two.line)], holder)
    expect(await replayJournals()).toBe(1)
    expect([await charged(one.owner), await charged(two.owner)]).toEqual([12, 12])
    expect(names()).toEqual([name])
    await mainPool().query(`UPDATE holder SET lease_until = now() - interval '11 minutes' WHERE id = $1`, [holder])
    await replayJournals()
    expect(names()).toEqual([])
  })
})

test('the ledger agrees afterwards', async () => {
  expect(await findLedgerDifferences()).toEqual([])
})
