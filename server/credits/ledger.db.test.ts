import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdRequest, makeSpendLimit } from '../../tests/support/hold'
import { expireHolder } from '../../tests/support/ledger'
import { makeKey, makeOwner, type TestOwner } from '../../tests/support/owners'
import { settleById, voidHoldById } from '../../tests/support/settle'
import { mainPool } from '../db'
import { AppError } from '../errors'
import { grantCredits } from './grant'
import { limitQueueTiming } from './limit-queue'
import { reserveCredits } from './reserve'
import { sweepHolds } from './sweep'
import { findLedgerDifferences } from './verify'

const { maxWaitMs } = limitQueueTiming
// In each round some call waits in vain.
beforeAll(() => {
  limitQueueTiming.maxWaitMs = 200
})
afterAll(() => {
  limitQueueTiming.maxWaitMs = maxWaitMs
})

/** A generator with a seed (mulberry32): the same run every time. */
function generator(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number) => Math.floor(next() * n)
  return { below, pick: <T>(from: readonly T[]): T => from[below(from.length)] as T }
}

type Payer = { owner: TestOwner; keyId: number | null; jobId?: string }

async function makePayers(): Promise<{ owners: TestOwner[]; payers: Payer[] }> {
  const owners = await Promise.all([makeOwner(300), makeOwner(60), makeOwner(0)])
  const payers = await Promise.all(
    owners.map(async (owner): Promise<Payer[]> => {
      const [tight, free] = [await makeKey(owner, { budget: 90 }), await makeKey(owner)]
      const [small, large] = [await makeSpendLimit(owner, 40), await makeSpendLimit(owner, 400)]
      return [
        { owner, keyId: null },
        { owner, keyId: tight.id },
        { owner, keyId: free.id, jobId: small },
        { owner, keyId: tight.id, jobId: large },
        { owner, keyId: null, jobId: small },
      ]
    }),
  )
  return { owners, payers: payers.flat() }
}

/** Refusals are part of the game, anything else is not. */
const orRefused = (work: Promise<unknown>) =>
  work.then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof AppError) || !['insufficient_credits', 'conflict'].includes(error.code)) throw error
      return false
    },
  )

/** A charge that is waited for in vain is given back. A busy machine must not decide that here. */
const PATIENCE_MS = 45_000

const OVERSPENT = `
  SELECT 'account' AS what FROM account WHERE available < 0 OR held < 0
  UNION ALL SELECT 'key' FROM "key" WHERE spent + held > budget OR spent < 0 OR held < 0
  UNION ALL SELECT 'spend limit' FROM spend_limit WHERE spent + held > cap OR spent < 0 OR held < 0
  UNION ALL SELECT 'charged twice' FROM ledger WHERE hold_id IS NOT NULL GROUP BY hold_id HAVING count(*) > 1
  UNION ALL SELECT 'stuck' FROM hold h JOIN receipt r ON r.id = h.id`

test.each([1, 7, 42])('random interleavings leave every sum exact and no limit exceeded (seed %d)', async (seed) => {
  const { below, pick } = generator(seed)
  const { owners, payers } = await makePayers()
  const open: string[] = []
  const tally = { held: 0, refused: 0 }

  const step = async (): Promise<void> => {
    const dice = below(100)
    if (dice < 50 || open.length === 0) {
      const { owner, keyId, jobId } = pick(payers)
      const max = below(30)
      const given = { keyId, jobId, minCredits: BigInt(below(max + 1)), minRemaining: BigInt(below(3)) }
      const request = holdRequest(owner, max, given)
      const times = below(10) === 0 ? 2 : 1
      const held = await Promise.all(Array.from({ length: times }, () => orRefused(reserveCredits(request))))
      tally[held[0] ? 'held' : 'refused']++
      if (held[0]) open.push(request.id)
      return
    }
    const id = pick(open)
    if (dice < 80) {
      const actual = BigInt(below(60))
      const request = { id, actual, extend: below(2) === 0, patienceMs: PATIENCE_MS, status: 'ok' as const }
      await Promise.all(Array.from({ length: below(10) === 0 ? 2 : 1 }, () => settleById(request)))
    } else if (dice < 90) await voidHoldById(id)
    else if (dice < 93) {
      await expireHolder(id)
      await sweepHolds()
    } else await orRefused(grantCredits(pick(owners).id, BigInt(below(60) - 20)))
  }

  for (let round = 0; round < 25; round++) {
    await Promise.all(Array.from({ length: 24 }, step))
    expect((await mainPool().query(OVERSPENT)).rows).toEqual([])
    expect(await findLedgerDifferences()).toEqual([])
  }
  // How many varies with how the calls meet.
  expect(tally.held).toBeGreaterThan(20)
  expect(tally.refused).toBeGreaterThan(20)
})
