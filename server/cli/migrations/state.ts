import type pg from 'pg'
import { readCompatibleFrom } from './compatibility'
import { migrationNames } from './files'

/**
 * The lock under which a database is migrated and its rights are changed: one process at a time.
 */
export const MIGRATION_LOCK = 72_707_370

/** How a database differs from the migrations of this version, by their names. */
export type MigrationState = {
  /** Not applied, or not to their end. */
  missing: string[]
  /** Applied by another version, whose tables mean something else than this one thinks. */
  unknown: string[]
  /** Applied by a newer release, with which this one still works: so they say in the database. */
  later: string[]
  /** Refused by PostgreSQL, of which nothing was kept: the next deploy does not try it again. */
  failed: { name: string; reason: string } | null
}

/** Compares a database with the migrations on disk, which are oldest first. */
export async function migrationState(db: Pick<pg.Pool, 'query'>, folder?: string): Promise<MigrationState> {
  const known = migrationNames(folder)
  const { rows: tables } = await db.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "isThere"`)
  if (!tables[0].isThere) return { missing: known, unknown: [], later: [], failed: null }
  const { rows } = await db.query<{ name: string; isDone: boolean; logs: string | null }>(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS "isDone", logs FROM _prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  )
  const failed = rows.find(({ isDone }) => !isDone)
  const done = new Set(rows.filter(({ isDone }) => isDone).map(({ name }) => name))
  const missing = known.filter((name) => !done.has(name))
  const others = rows.map(({ name }) => name).filter((name) => !known.includes(name))
  const isCompatible = others.length > 0 && missing.length === 0 && known.includes((await readCompatibleFrom(db)) ?? '')
  return {
    missing,
    unknown: isCompatible ? [] : others,
    later: isCompatible ? others : [],
    failed: failed ? { name: failed.name, reason: reasonIn(failed.logs ?? '') } : null,
  }
}

/** What the engine logged about it, in its second line: nothing where it was killed. */
function reasonIn(logs: string): string {
  const [, line = 'its process was ended, or runs it now'] = logs.split('\n')
  return line.replace(/^Error querying the database: (ERROR: )?/, '')
}

/** What happened to a migration that failed, and what it needs before it is tried again. */
export function failedText({ name, reason }: { name: string; reason: string }): { text: string; advice: string } {
  const isForbidden = /permission denied|must be owner/.test(reason)
  const first = isForbidden
    ? 'Let the role that migrates own the database and all that is in it (ALTER … OWNER TO …).'
    : 'Fix what it says.'
  const again = `Then: npm run db:migrate -- rolled-back ${name}, and npm run db:migrate`
  return { text: `Migration ${name} failed before: ${reason}.`, advice: `${first} ${again}` }
}

/** Says that a database belongs to a newer release that this one does not work with. */
export const newerVersionText = ({ unknown }: Pick<MigrationState, 'unknown'>): string =>
  `The database has migrations that this version does not know: ${unknown.join(', ')}. Run the version that made them, or a newer one.`
