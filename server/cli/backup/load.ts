import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from } from 'pg-copy-streams'
import { QUEUE_SCHEMA } from '../../agent/queue/setup'
import { CliError } from '../kit/project'
import type { CopySequence, CopyTable } from './manifest'
import type { Progress } from './progress'
import { copyTarget, quoteName, readTables } from './tables'

/** What a database is filled from: a backup, or the snapshot of another database. */
export type CopySource = {
  migrations: readonly string[]
  tables: readonly CopyTable[]
  sequences: readonly CopySequence[]
  /** A table's rows as COPY writes them. */
  read: (table: CopyTable) => Readable | Promise<Readable>
  /** How many rows of a table were read, once they were. */
  rowsOf: (table: CopyTable) => number
}

type ForeignKey = { table: string; name: string; definition: string }

const FOREIGN_KEYS = `SELECT c.relname AS "table", k.conname AS name, pg_get_constraintdef(k.oid) AS definition
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
  WHERE k.contype = 'f' AND c.relnamespace = 'public'::regnamespace ORDER BY k.oid`

const at = (table: string) => `public.${quoteName(table)}`

/**
 * Fills a database with the same migrations in one transaction: rows, sequences, and every foreign
 * key checked anew. What was in it is replaced, messages of the queue included: workers find by the
 * rows which runs and deliveries are due. Returns the number of rows.
 */
export async function loadTables(db: pg.Client, source: CopySource, progress: Progress): Promise<number> {
  const present = new Set((await readTables(db)).map(({ name }) => name))
  const absent = source.tables.filter(({ name }) => !present.has(name)).map(({ name }) => name)
  if (absent.length > 0) throw new CliError(`The database to write to has no table ${absent.join(', ')}.`)
  await db.query('BEGIN')
  try {
    const rows = await load(db, source, progress)
    await db.query('COMMIT')
    return rows
  } catch (error) {
    await db.query('ROLLBACK').catch(() => {})
    throw error
  }
}

async function load(db: pg.Client, source: CopySource, progress: Progress): Promise<number> {
  const tables = await readTables(db)
  const keys = (await db.query<ForeignKey>(FOREIGN_KEYS)).rows
  await db.query(`SET LOCAL lock_timeout = '10s'; TRUNCATE ${tables.map(({ name }) => at(name)).join(', ')} CASCADE`)
  if (await hasQueue(db)) await db.query(`DELETE FROM ${QUEUE_SCHEMA}.job`)
  // Triggers would sum up anew what is copied with its sums; they belong to the tables' owner.
  for (const { name } of tables) await db.query(`ALTER TABLE ${at(name)} DISABLE TRIGGER USER`)
  for (const { table, name } of keys) await db.query(`ALTER TABLE ${at(table)} DROP CONSTRAINT ${quoteName(name)}`)
  let rows = 0
  for (const table of source.tables) {
    rows += await loadTable(db, source, table)
    progress(`  ${table.name}: ${source.rowsOf(table)} rows, ${rows} in all`)
  }
  for (const { table, name, definition } of keys) {
    progress(`  checking ${name}`)
    await db.query(`ALTER TABLE ${at(table)} ADD CONSTRAINT ${quoteName(name)} ${definition}`)
  }
  for (const { name } of tables) await db.query(`ALTER TABLE ${at(name)} ENABLE TRIGGER USER`)
  for (const { name, lastValue } of source.sequences)
    await db.query('SELECT setval($1, coalesce($2::bigint, 1), $2::bigint IS NOT NULL)', [at(name), lastValue])
  return rows
}

async function loadTable(db: pg.Client, source: CopySource, table: CopyTable): Promise<number> {
  const rows = await source.read(table)
  // The stream ends before the connection may be used again.
  const idle = once(db, 'drain')
  idle.catch(() => {})
  const into = db.query(from(`COPY ${copyTarget(table)} FROM STDIN`))
  await pipeline(rows, into)
  await idle
  const expected = source.rowsOf(table)
  if (into.rowCount === expected) return expected
  throw new CliError(`Table ${table.name} has ${into.rowCount} rows instead of ${expected}.`)
}

const hasQueue = async (db: pg.Client): Promise<boolean> =>
  (await db.query('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [`${QUEUE_SCHEMA}.job`])).rows[0].isThere
