import { realpathSync, rmSync } from 'node:fs'
import type pg from 'pg'
import type { Env } from '../../env'
import { postgresBinaries } from '../embedded/binaries'
import { openDatabaseFolder } from '../embedded/folder'
import { joinEmbeddedDatabase } from '../embedded/join'
import { stopPostgres } from '../embedded/postgres'
import { databaseUser } from '../embedded/system-user'
import { withCleanup } from '../kit/cleanups'
import { withFileLock } from '../kit/file-lock'
import { CliError, dataPath } from '../kit/project'
import { withCopyConnection } from './connection'
import { requireNobodyConnected } from './target'

const NEEDED = `A drill needs a database of its own, and this installation brings none. Have an empty one made (CREATE DATABASE tollgate_drill OWNER tollgate) and set DRILL_DATABASE_URL to its address; no other right is needed.`

const NAME = 'drill'
const LOCK_PATIENCE_MS = 1_000

/**
 * Lends an empty database that is not the service's: the one that DRILL_DATABASE_URL names, else an
 * embedded one that is made for this. Nothing of it is left afterwards; what a killed process left
 * goes with the next one. Throws a CliError where none can be made.
 */
export async function withScratchDatabase<T>(
  { DATABASE_URL, DRILL_DATABASE_URL }: Pick<Env, 'DATABASE_URL' | 'DRILL_DATABASE_URL'>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (!DRILL_DATABASE_URL) return withEmbedded(work)
  if (isSameDatabase(DRILL_DATABASE_URL, DATABASE_URL))
    throw new CliError('DRILL_DATABASE_URL is the database of the service: name an empty one.')
  return withNamed(DRILL_DATABASE_URL, work)
}

function isSameDatabase(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)]
  return a.host === b.host && a.pathname === b.pathname
}

/** A schema that says whose tables these are, from before the first until after the last. */
const MARK = 'tollgate_drill'
/** Keeps two drills apart: 'drill' in ASCII. */
const DRILL_LOCK = 430_013_803_628

const FOUND = `SELECT pg_try_advisory_lock(${DRILL_LOCK}) AS "isMine",
    EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = '${MARK}') AS "isLeft",
    (SELECT count(*)::int FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema') AS tables`

/** Ours may still run a statement that waits for nobody. */
const END_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`

const SCHEMAS = ['public', 'pgboss', 'tollgate_replaced', 'tollgate_replaced_queue', MARK]

async function emptyDatabase(db: pg.Client): Promise<void> {
  await db.query(END_OTHERS)
  await db.query(`${SCHEMAS.map((name) => `DROP SCHEMA IF EXISTS ${name} CASCADE`).join('; ')}; CREATE SCHEMA public`)
}

const withNamed = <T>(url: string, work: (url: string) => Promise<T>): Promise<T> =>
  withCopyConnection(url, async (db) => {
    const { isMine, isLeft, tables } = (await db.query(FOUND)).rows[0]
    if (!isMine) throw new CliError('Another drill uses the database of DRILL_DATABASE_URL.')
    if (tables > 0 && !isLeft)
      throw new CliError(`DRILL_DATABASE_URL must name an empty database: this one has ${tables} tables.`)
    await requireNobodyConnected(db, 'the database of DRILL_DATABASE_URL')
    await emptyDatabase(db)
    await db.query(`CREATE SCHEMA ${MARK}`)
    return withCleanup(
      () => work(url),
      () => emptyDatabase(db),
    )
  })

async function withEmbedded<T>(work: (url: string) => Promise<T>): Promise<T> {
  const user = databaseUser()
  try {
    postgresBinaries(user)
  } catch (error) {
    throw error instanceof CliError ? new CliError(NEEDED) : error
  }
  const alone = async () => {
    const home = openDatabaseFolder(NAME, user)
    const remove = async () => {
      await stopPostgres(home)
      rmSync(realpathSync(dataPath(NAME)), { recursive: true, force: true })
      rmSync(dataPath(NAME), { recursive: true, force: true })
    }
    await stopPostgres(home)
    rmSync(home.data, { recursive: true, force: true })
    return withCleanup(async () => work((await joinEmbeddedDatabase(NAME)).url), remove)
  }
  return withFileLock(dataPath(`${NAME}.lock`), alone, LOCK_PATIENCE_MS)
}
