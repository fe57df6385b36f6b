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
 * Counts a stall for each run that a stalled process has claimed, before the process is ended: the
 * next claim runs the step in a separate process, and after the second stall it is given up.
 * `holderId` is the process's id in `credits/holder`. Returns the number of runs.
 */
export async function markStalled(holderId: string): Promise<number> {
  const [row] = await runStatement(MARK_STALLED, [holderId], { repeatable: false })
  return row?.runs ?? 0
}

/** The same as a statement, for a watchdog that runs it before it ends its process. */
export const markStalledStatement = (holderId: string): { sql: string; values: [string] } => ({
  sql: MARK_STALLED.text,
  values: [holderId],
})
