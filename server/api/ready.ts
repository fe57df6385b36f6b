import { setTimeout as sleep } from 'node:timers/promises'
import { countPendingSettlements } from '../credits/pending-settlements'
import { runStatement } from '../db'
import { checkAuthentication } from '../keys/authenticate'
import { makeBatcher } from '../kit/batch'
import { log } from '../kit/log'
import { metrics } from '../kit/metrics'
import { statement } from '../kit/statement'

/** Whoever asks waits no longer, whatever the database does. */
const PATIENCE_MS = 2_000

const late = async (signal: AbortSignal): Promise<never> => {
  await sleep(PATIENCE_MS, undefined, { signal })
  throw new Error(`no answer within ${PATIENCE_MS} ms`)
}

const DATABASE_READY = statement({
  name: 'database_ready',
  sql: 'SELECT database_ready()',
  params: [],
  columns: { database_ready: 'void' },
  isPrepared: true,
})

/** Throws where the database does not take writes. However many ask, one asks the database. */
const checkWrites = makeBatcher(async (askers: null[]) => {
  await runStatement(DATABASE_READY, [], { shared: true })
  return askers
})

/**
 * True when calls can be served: authentication's own path answers, and the database takes writes (it is neither
 * read-only nor full). Asked anew each time; never takes longer than 2 s.
 */
export async function isReady(): Promise<boolean> {
  const answered = new AbortController()
  try {
    await Promise.race([Promise.all([checkAuthentication(), checkWrites(null)]), late(answered.signal)])
    return true
  } catch (error) {
    log.warn({ err: (error as Error).message, cause: ((error as Error).cause as Error)?.message }, 'not ready')
    return false
  } finally {
    answered.abort()
  }
}

/**
 * What an operator should look at although calls are served: settlements of this process that wait for the database,
 * and holds older than any call, as of the last sweep.
 */
export async function creditsReport(): Promise<{ settlementsWaiting: number; oldHolds: number }> {
  const { values } = await metrics().oldHolds.get()
  return { settlementsWaiting: countPendingSettlements(), oldHolds: values[0]?.value ?? 0 }
}
