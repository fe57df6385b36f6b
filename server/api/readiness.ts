import { setTimeout as sleep } from 'node:timers/promises'
import { oldHolds } from '../credits/metrics'
import { countPendingSettlements } from '../credits/pending-settlements'
import { runStatement } from '../db'
import { checkAuthentication } from '../keys/authenticate'
import { makeBatcher } from '../kit/batch'
import { log } from '../kit/log'
import { statement } from '../kit/statement'

const TIMEOUT_MS = 2_000

export type ServiceReadiness = {
  /** Authentication's own path answers, and the database takes writes. */
  isReady: boolean
  /** Settlements of this process that wait for the database. */
  settlementsWaiting: number
  /** Holds older than any call, as of the last sweep. */
  oldHolds: number
}

/**
 * Whether calls can be served, and what an operator should look at although they are. Takes 2 s at
 * most.
 */
export async function readReadiness(): Promise<ServiceReadiness> {
  const isReady = await checkReady()
  const { values } = await oldHolds.get()
  return { isReady, settlementsWaiting: countPendingSettlements(), oldHolds: values[0]?.value ?? 0 }
}

async function checkReady(): Promise<boolean> {
  const finished = new AbortController()
  try {
    await Promise.race([Promise.all([checkAuthentication(), checkWrites(null)]), timeOut(finished.signal)])
    return true
  } catch (error) {
    log.warn({ err: (error as Error).message, cause: ((error as Error).cause as Error)?.message }, 'not ready')
    return false
  } finally {
    finished.abort()
  }
}

const DATABASE_READY = statement({
  name: 'database_ready',
  sql: 'SELECT database_ready()',
  params: [],
  columns: { database_ready: 'void' },
  isPrepared: true,
})

/** Throws where the database is read-only or full. Concurrent checks share one statement. */
const checkWrites = makeBatcher(async (checks: null[]) => {
  await runStatement(DATABASE_READY, [], { shared: true })
  return checks
})

async function timeOut(signal: AbortSignal): Promise<never> {
  await sleep(TIMEOUT_MS, undefined, { signal })
  throw new Error(`no answer within ${TIMEOUT_MS} ms`)
}
