import type pg from 'pg'
import { env } from '../../server/env'
import { queryOnce } from './query-once'

/**
 * Runs a statement that makes much at once, over a connection of its own: the pools of the service
 * end what takes longer than a call may.
 */
export const bulkQuery = <R extends pg.QueryResultRow>(sql: string, values: readonly unknown[]): Promise<R[]> =>
  queryOnce<R>(env().DATABASE_URL, sql, values)
