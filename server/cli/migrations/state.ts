import type pg from 'pg'
import { migrationNames } from './files'

/**
 * The lock under which a database is migrated and its rights are changed: one process at a time.
 */
export const MIGRATION_LOCK = 72_707_370

/** How a database differs from the migrations of this version, by their names. */
export type MigrationState = {
  /** Not applied, or not to their end. */
  missing: string[]
  /** Applied by another version, whose tables this one may not know. */
  unknown: string[]
}

/** Compares a database with the migrations on disk, which are oldest first. */
export async function migrationState(db: Pick<pg.Pool, 'query'>, folder?: string): Promise<MigrationState> {
  const known = migrationNames(folder)
  const { rows: tables } = await db.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "isThere"`)
  if (!tables[0].isThere) return { missing: known, unknown: [] }
  const { rows } = await db.query<{ name: string; isDone: boolean }>(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS "isDone" FROM _prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  )
  const done = new Set(rows.filter(({ isDone }) => isDone).map(({ name }) => name))
  return {
    missing: known.filter((name) => !done.has(name)),
    unknown: rows.map(({ name }) => name).filter((name) => !known.includes(name)),
  }
}

/** Says that a database belongs to a newer version of this program, or to another one. */
export const newerVersionText = ({ unknown }: MigrationState): string =>
  `The database has migrations that this version does not know: ${unknown.join(', ')}. Run the version that made them, or a newer one.`
