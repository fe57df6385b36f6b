import type pg from 'pg'

/** A step that stalled its process this often, the last time while it ran alone, is given up. */
export const MAX_STALLS = 2

const MARK_STALLED = 'SELECT agent_mark_stalled($1) AS runs'

/**
 * Counts a stall for each run that a stalled process has claimed, before the process is ended: the next claim runs the
 * step in a separate process, and after the second stall it is given up. `holderId` is the process's id in
 * `credits/holder`. Takes a connection, so that a thread can call it while the event loop is blocked. Returns the number
 * of runs.
 */
export async function markStalled(db: pg.ClientBase | pg.Pool, holderId: string): Promise<number> {
  const { rows } = await db.query<{ runs: number }>(MARK_STALLED, [holderId])
  return rows[0]?.runs ?? 0
}

/** The same as a statement, for a watchdog that runs it before it ends its process. */
export const markStalledStatement = (holderId: string): { sql: string; values: [string] } => ({
  sql: MARK_STALLED,
  values: [holderId],
})
