import { mainPool } from '../../server/db'

/** Keeps the rows of tables as they are, to put them back after a test has damaged them. */
export async function keepTables(tables: readonly string[]): Promise<void> {
  for (const table of tables) await mainPool().query(`CREATE TABLE saved_${table} AS TABLE "${table}"`)
}

async function namesOf(table: string): Promise<{ columns: string[]; ids: string[] }> {
  const { rows } = await mainPool().query<{ name: string; is_id: boolean }>(
    `SELECT quote_ident(a.attname) AS name, a.attnum = ANY (i.indkey) AS is_id FROM pg_attribute a
     JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
     WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped`,
    [`"${table}"`],
  )
  return { columns: rows.map(({ name }) => name), ids: rows.filter(({ is_id }) => is_id).map(({ name }) => name) }
}

/** Makes the rows of tables what `keepTables` kept, without what triggers would make of it. */
export async function putBackTables(tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const { columns, ids } = await namesOf(table)
    const set = columns.map((column) => `${column} = excluded.${column}`).join(', ')
    await mainPool().query(`
      ALTER TABLE "${table}" DISABLE TRIGGER USER;
      DELETE FROM "${table}" WHERE (${ids.join(', ')}) NOT IN (SELECT ${ids.join(', ')} FROM saved_${table});
      INSERT INTO "${table}" (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM saved_${table}
        ON CONFLICT (${ids.join(', ')}) DO UPDATE SET ${set};
      ALTER TABLE "${table}" ENABLE TRIGGER USER`)
  }
}
