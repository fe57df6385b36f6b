import pg from 'pg'
import { env } from '../../server/env'

/**
 * Runs a statement that makes much at once, over a connection of its own: the pools of the service
 * end what takes longer than a call may.
 */
export async function bulkQuery<R extends pg.QueryResultRow>(sql: string, values: readonly unknown[]): Promise<R[]> {
  const client = new pg.Client({ connectionString: env().DATABASE_URL })
  await client.connect()
  try {
    return (await client.query<R>(sql, [...values])).rows
  } finally {
    await client.end()
  }
}
