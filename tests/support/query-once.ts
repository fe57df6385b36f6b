import pg from 'pg'

/** One statement over a connection of its own, without the limits of the service's pools. */
export async function queryOnce<R extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<R>(sql, [...values])).rows
  } finally {
    await client.end().catch(() => {})
  }
}
