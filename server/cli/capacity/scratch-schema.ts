import pLimit from 'p-limit'
import pg from 'pg'
import { withCleanup } from '../kit/cleanups'
import { CliError } from '../kit/project'
import { describeDatabaseError } from '../migrations/database-error'
import { migrationNames, readMigration } from '../migrations/files'

/** Where the measured ledger is: beside the real one, which nothing in it names. */
export const SCRATCH_SCHEMA = 'tollgate_capacity'

/** Keeps two measurements apart: 'capac' in ASCII. */
const SCRATCH_LOCK = 427_070_349_667

const MAY_START = `SELECT pg_try_advisory_lock(${SCRATCH_LOCK}) AS "isMine",
    has_database_privilege(current_database(), 'CREATE') AS "mayCreate",
    quote_ident(current_user) AS role, quote_ident(current_database()) AS database`

/** The measuring connections that are in a statement, and hold its locks. */
const END_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND application_name = ANY ($1) AND state <> 'idle'`

const DROP = `DROP SCHEMA IF EXISTS ${SCRATCH_SCHEMA} CASCADE`

/** The same address, whose connections see the scratch schema and no other. */
function inScratch(url: string): string {
  const changed = new URL(url)
  const given = changed.searchParams.get('options')
  changed.searchParams.set('options', [given, `-csearch_path=${SCRATCH_SCHEMA}`].filter(Boolean).join(' '))
  return changed.href
}

/**
 * Lends a schema with every table of the service and no row, in the database of `url`, whose tables
 * stay as they are. Needs CREATE on the database. It is dropped at the end, also when the command
 * is stopped; what a killed process left goes with the next one. `users` are the names
 * (`application_name`) of connections whose statements are ended first. Throws a CliError.
 */
export async function withScratchSchema<T>(
  url: string,
  users: readonly string[],
  work: (url: string) => Promise<T>,
): Promise<T> {
  const db = new pg.Client({ connectionString: inScratch(url), application_name: 'tollgate capacity' })
  // A connection that is lost between two statements fails the next one.
  db.on('error', () => {})
  await db.connect().catch((error: unknown) => {
    throw describeDatabaseError(error, url)
  })
  // One at a time, also when the command is stopped during a statement.
  const limit = pLimit(1)
  const run = (sql: string, values?: unknown[]) => limit(() => db.query(sql, values))
  try {
    const { isMine, mayCreate, role, database } = (await run(MAY_START)).rows[0]
    if (!isMine) throw new CliError('Another capacity command measures this database.')
    if (!mayCreate)
      throw new CliError(
        `The role ${role} may not create a schema in the database ${database}, which the measurement needs. As the superuser: GRANT CREATE ON DATABASE ${database} TO ${role}`,
      )
    return await withCleanup(
      async () => {
        await run(`${DROP}; CREATE SCHEMA ${SCRATCH_SCHEMA}`)
        for (const name of migrationNames()) await run(readMigration(name))
        return work(inScratch(url))
      },
      async () => {
        await run(END_OTHERS, [users])
        await run(DROP)
      },
    )
  } finally {
    await db.end().catch(() => {})
  }
}
