import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUnavailable } from '../db'
import { withSpan } from '../kit/tracing/tracer'
import { withTimeout } from '../kit/with-timeout'
import { writeSettlement } from './ledger-batch'
import { forgetPendingSettlement, settleLater } from './pending-settlements'
import { mayAnswerFirst, settleBehind } from './settle-behind'
import {
  knownSettlement,
  recordSettlement,
  type Settlement,
  type SettleRequest,
  settlementAttributes,
} from './settlement'
import type { ReceiptDetail } from './shape'
import { endSlices } from './slices'

/** A charge that is known without the database waits no longer than this for it, milliseconds. */
const PATIENCE_MS = 2_000
/**
 * How long a charge is waited for that only the database knows, where the call does not say,
 * milliseconds.
 */
const UNKNOWN_PATIENCE_MS = 10_000
const RETRY_MS = 500

/**
 * Ends a hold with a charge: min(actual, hold), or with `extend` min(actual, hold + what is free).
 * Writes ledger and receipt in the same transaction. A settlement that comes after its hold was
 * swept charges what the limits still allow.
 *
 * A charge of a short call that is known without the database is in the journal when this returns,
 * and is written a moment later (`settle-behind.ts`).
 *
 * With the database away, a charge that is known without it is returned all the same, and written
 * when the database is back. One that is not known is waited for as long as the request allows;
 * then the call is void and `unavailable` is thrown: nothing is charged that was not delivered.
 */
export const settleHold = (request: SettleRequest): Promise<Settlement> =>
  withSpan('settle', async (span) => {
    const known = knownSettlement(request)
    const settled = await (known ? settleKnown(request, known) : settleUnknown(request))
    span?.setAttributes(settlementAttributes(request, settled.charged))
    return settled
  })

async function settleKnown(request: SettleRequest, known: Settlement): Promise<Settlement> {
  if (mayAnswerFirst(request) && (await settleBehind(request))) return known
  const written = writeSettlement(request)
  const row = await withTimeout(written, PATIENCE_MS).catch(() => null)
  if (row) return recordSettlement(request, row)
  settleLater(request)
  // The first attempt may still succeed.
  written.then(
    (late) => {
      if (forgetPendingSettlement(request.id)) recordSettlement(request, late)
    },
    () => {},
  )
  return known
}

async function settleUnknown(request: SettleRequest): Promise<Settlement> {
  const deadline = performance.now() + (request.patienceMs ?? UNKNOWN_PATIENCE_MS)
  // What is held ahead is free to it.
  await withTimeout(endSlices(request.ownerId), deadline - performance.now())
  for (;;) {
    try {
      const row = await withTimeout(writeSettlement(request), deadline - performance.now())
      if (row) return recordSettlement(request, row)
    } catch {
      // Nobody knows whether it was written: it is asked again, and returns the first outcome if
      // so.
    }
    if (performance.now() + RETRY_MS >= deadline) {
      const detail = { ...request.detail, error: 'The charge could not be determined: nothing was delivered.' }
      settleLater({ ...request, actual: 0n, extend: false, status: 'void', detail, answer: undefined }, 'undo')
      throw databaseUnavailable(new Error('a metered charge could not be settled in time'))
    }
    await sleep(RETRY_MS)
  }
}

/** A hold, as whoever took it knows it. */
export type Hold = Pick<SettleRequest, 'id' | 'ownerId' | 'held' | 'channel'>

/** Ends a hold with no charge: the call never ran. */
export const voidHold = (hold: Hold, detail?: ReceiptDetail): Promise<Settlement> =>
  settleHold({ ...hold, actual: 0n, status: 'void', detail })
