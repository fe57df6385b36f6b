import { mainPool } from '../../server/db'

/** Counters of attempts and challenges, which refused acts use up too. */
const USED_UP = ['rate_window', 'passkey_challenge', 'holder', 'process']

const digestOf = (table: string) =>
  `SELECT '${table}' AS name, md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS digest FROM ${table} t`

/** A digest of the rows of each table but those named, and of the queue's messages. */
export async function digestTables(without: readonly string[] = []): Promise<Record<string, string>> {
  const { rows: tables } = await mainPool().query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL ($1)`,
    [[...USED_UP, ...without]],
  )
  const names = [...tables.map(({ name }) => name), 'pgboss.job']
  const { rows } = await mainPool().query<{ name: string; digest: string }>(names.map(digestOf).join(' UNION ALL '))
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}
