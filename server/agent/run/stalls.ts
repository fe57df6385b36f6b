import type pg from 'pg'

/** A step that stalled its process this often, the last time while it ran alone, is given up. */
export const MAX_STALLS = 2

const MARK_STALLED = 'SELECT agent_mark_stalled($1) AS runs'

/**
 * Notes that a process has stalled, before it is ended: each run it has the claim of is then taken by a process of its
 * own, and given up after the second time. `holderId` is `credits/holder`'s id of that process. Takes a connection, so
 * that a thread may call it while the process's own event loop does not turn. Returns how many runs there were.
 */
export async function markStalled(db: pg.ClientBase | pg.Pool, holderId: string): Promise<number> {
  const { rows } = await db.query<{ runs: number }>(MARK_STALLED, [holderId])
  return rows[0]?.runs ?? 0
}

/** The same as a statement, for a watchdog that runs one before it ends its process. */
export const markStalledStatement = (holderId: string): { sql: string; values: [string] } => ({
  sql: MARK_STALLED,
  values: [holderId],
})
