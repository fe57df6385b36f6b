import { runStatement } from '../../db'
import { statement } from '../../kit/statement'

/** A step that stalled its process this often, the last time while it ran alone, is given up. */
export const MAX_STALLS = 2

const MARK_STALLED = statement({
  name: 'agent_mark_stalled',
  sql: 'SELECT agent_mark_stalled($1) AS runs',
  params: ['uuid'],
  columns: { runs: 'int' },
})

/**
 * Notes that a process has stalled, before it is ended: each run it has the claim of is then taken by a process of its
 * own, and given up after the second time. `holderId` is `credits/holder`'s id of that process. Returns how many runs
 * there were.
 */
export async function markStalled(holderId: string): Promise<number> {
  const [row] = await runStatement(MARK_STALLED, [holderId], { repeatable: false })
  return row?.runs ?? 0
}

/** The same as a statement, for a watchdog that runs one before it ends its process. */
export const markStalledStatement = (holderId: string): { sql: string; values: [string] } => ({
  sql: MARK_STALLED.text,
  values: [holderId],
})
