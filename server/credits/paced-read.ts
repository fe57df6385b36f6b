import { setTimeout as sleep } from 'node:timers/promises'
import { runRead } from '../db'
import type { Statement } from '../kit/statement'

/**
 * Rows of an owner with much history that one statement of verification reads, for sums and for
 * comparing rows. Tests of slices have smaller ones.
 */
export const sliceRows = { summed: 10_000, compared: 5_000 }

/** Longest one statement may take. */
const WITHIN_MS = 60_000

/**
 * Runs one statement on the read pool, and then leaves the database to others for as long as it
 * took, a second at most: verification can wait, callers cannot.
 */
export async function readPaced<V extends readonly unknown[], R>(
  statement: Statement<V, R>,
  values: NoInfer<V>,
): Promise<R[]> {
  const began = performance.now()
  const rows = await runRead(statement, values, { withinMs: WITHIN_MS })
  await sleep(Math.min(performance.now() - began, 1_000))
  return rows
}
