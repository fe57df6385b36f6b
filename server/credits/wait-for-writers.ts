import { setTimeout as sleep } from 'node:timers/promises'
import { runRead } from '../db'
import { env } from '../env'
import { statement } from '../kit/statement'
import { withTimeout } from '../kit/with-timeout'
import { holderId } from './holder'
import { SHORT_CALL_MS } from './settle-behind'
import { endSlices, sliceTiming } from './slices'
import { whenWritten } from './unwritten'

/** The longest that a read waits for charges, milliseconds. */
const MAX_WAIT_MS = 250
const FIRST_PAUSE_MS = 5

/**
 * Holds of other processes whose calls may have been answered: a short call is answered before its
 * charge is written, another one after.
 */
const YOUNG_HOLDS = statement({
  name: 'young_holds',
  sql: `SELECT h.id FROM hold h WHERE h.owner_id = $1 AND h.holder_id <> $2 AND h.channel <> 'agent' AND NOT h.keeps_answer
    AND h.created_at > clock_timestamp() - make_interval(secs => $3)`,
  params: ['int', 'uuid', 'float8'],
  columns: { id: 'uuid' },
})
const STILL_HELD = statement({
  name: 'still_held',
  sql: 'SELECT h.id FROM hold h WHERE h.id = ANY ($1)',
  params: ['uuid[]'],
  columns: { id: 'uuid' },
})

/**
 * Waits until the charges of every answer that an owner has got are written, whichever process gave
 * it, at most 250 ms: nobody sees a charge missing. Calls in progress are waited for only while
 * they are so short that they may have been answered. False where there was nothing to wait for.
 */
export async function waitForWriters(ownerId: number): Promise<boolean> {
  if (env().DURABLE_ANSWERS === 1) return false
  const deadline = performance.now() + MAX_WAIT_MS
  const [own, others] = await Promise.all([
    withTimeout(whenOwnWrote(ownerId), MAX_WAIT_MS),
    // With the database away, the read itself says so.
    whenOthersWrote(ownerId, deadline).catch(() => false),
  ])
  return own !== false || others
}

/** What is held ahead for the owner comes back, and what has been answered is written. */
async function whenOwnWrote(ownerId: number): Promise<boolean> {
  const [hadSlices, hadAnswers] = await Promise.all([endSlices(ownerId), whenWritten(ownerId)])
  return hadSlices || hadAnswers
}

async function whenOthersWrote(ownerId: number, deadline: number): Promise<boolean> {
  let held = await runRead(YOUNG_HOLDS, [
    ownerId,
    holderId(),
    (sliceTiming.admitMs + SHORT_CALL_MS + MAX_WAIT_MS) / 1_000,
  ])
  if (held.length === 0) return false
  for (let pauseMs = FIRST_PAUSE_MS; held.length > 0; pauseMs *= 2) {
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) break
    await sleep(Math.min(pauseMs, leftMs))
    held = await runRead(STILL_HELD, [held.map(({ id }) => id)])
  }
  return true
}
