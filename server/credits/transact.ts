import type { QueryResultRow } from 'pg'
import { runStatement, type StatementOptions } from '../db'

/**
 * Runs one SQL function of the money path as one transaction and returns its rows, as `runStatement` does: nearly every
 * such function is idempotent, so it is also repeated after a lost connection. Throws `unavailable` when the database
 * stays away.
 */
export const transact = <R extends QueryResultRow>(
  name: string,
  sql: string,
  values: unknown[],
  options?: StatementOptions,
): Promise<R[]> => runStatement<R>({ name, text: sql, values }, options)
