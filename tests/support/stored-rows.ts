import { mainPool } from '../../server/db'

/** Counters of attempts and challenges, which refused acts use up too. */
const USED_UP = ['rate_window', 'passkey_challenge', 'holder', 'process']

const digestOf = (table: string) =>
  `SELECT '${table}' AS name, md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest FROM ${table} t HAVING count(*) > 0`

/**
 * A digest of the rows of each table that has any but those named, and of the queue's messages.
 * Tables without a file of rows are left out at once: with all of them PostgreSQL starts two
 * processes for the statement, which takes ten times as long.
 */
export async function digestTables(without: readonly string[] = []): Promise<Record<string, string>> {
  const { rows: tables } = await mainPool().query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> ALL ($1) AND pg_relation_size(oid) > 0`,
    [[...USED_UP, ...without]],
  )
  const names = [...tables.map(({ name }) => name), 'pgboss.job']
  const { rows } = await mainPool().query<{ name: string; digest: string }>(names.map(digestOf).join(' UNION ALL '))
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}
