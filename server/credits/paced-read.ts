import { setTimeout as sleep } from 'node:timers/promises'
import type { QueryResultRow } from 'pg'
import { runRead } from '../db'

/** Longest one statement may take. */
const WITHIN_MS = 60_000

/**
 * Runs one query on the read pool, and then leaves the database to others for as long as it took, a second at most:
 * whoever verifies is in no hurry, and callers are.
 */
export async function readPaced<R extends QueryResultRow>(sql: string, values: unknown[]): Promise<R[]> {
  const began = performance.now()
  const rows = await runRead<R>(sql, values, { withinMs: WITHIN_MS })
  await sleep(Math.min(performance.now() - began, 1_000))
  return rows
}
