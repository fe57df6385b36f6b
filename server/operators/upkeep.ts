import { executeStatement } from '../db'
import { statement } from '../kit/statement'

const KEEP_SECRET = statement({
  name: 'upkeep_keep_secret',
  sql: `INSERT INTO retention (name, cursor) VALUES ('auth_secret', $1) ON CONFLICT DO NOTHING`,
  params: ['text'],
})

/** Keeps the fingerprint of the AUTH_SECRET that a database is first used with, for `doctor`. */
export const keepSecretFingerprint = (fingerprint: string): Promise<number> =>
  executeStatement(KEEP_SECRET, [fingerprint])

/** What an operator's timers do: rows of `retention` keep when each last succeeded. */
export type Upkeep = 'backup' | 'drill' | 'verify'

const RECORD = statement({
  name: 'upkeep_record',
  sql: `INSERT INTO retention (name, started_at) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET started_at = greatest(retention.started_at, excluded.started_at)`,
  params: ['text', 'timestamptz'],
})

/**
 * Notes that a task succeeded; `at` is the moment that it is about. Returns a line for the operator
 * where that could not be written, such as on a standby: the task succeeded all the same.
 */
export async function recordUpkeep(task: Upkeep, at: Date): Promise<string | null> {
  try {
    await executeStatement(RECORD, [task, at])
    return null
  } catch (error) {
    return `Its time was not recorded, so metrics and doctor do not know of it: ${(error as Error).message}`
  }
}
