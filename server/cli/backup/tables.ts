import pg from 'pg'
import type { CopySequence, CopyTable } from './manifest'

/**
 * Our tables with the columns that can be written. Without Prisma's history, which the migrations
 * write, and without unlogged tables: PostgreSQL empties them after a crash, so nothing depends on
 * what is in them.
 */
const TABLES = `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p'
    AND c.relname <> '_prisma_migrations' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  GROUP BY c.relname ORDER BY c.relname COLLATE "C"`

const SEQUENCES = `SELECT sequencename AS name, last_value::text AS "lastValue" FROM pg_sequences
  WHERE schemaname = 'public' ORDER BY sequencename COLLATE "C"`

const MIGRATIONS = `SELECT migration_name AS name FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`

type Db = Pick<pg.Client, 'query'>

export const quoteName = (name: string): string => pg.escapeIdentifier(name)

export const readTables = async (db: Db): Promise<CopyTable[]> => (await db.query<CopyTable>(TABLES)).rows

export const readSequences = async (db: Db): Promise<CopySequence[]> => (await db.query<CopySequence>(SEQUENCES)).rows

/** The migrations that a database has; none where it was never migrated. */
export async function readMigrations(db: Db): Promise<string[]> {
  const { rows } = await db.query(`SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS "isThere"`)
  if (!rows[0].isThere) return []
  return (await db.query<{ name: string }>(MIGRATIONS)).rows.map(({ name }) => name)
}

/** The columns of a table as COPY takes them. */
export const copyTarget = ({ name, columns }: CopyTable): string =>
  `public.${quoteName(name)} (${columns.map(quoteName).join(', ')})`
