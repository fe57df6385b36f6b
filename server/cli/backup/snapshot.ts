import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import { to } from 'pg-copy-streams'
import { CliError } from '../kit/project'
import { withCopyConnection } from './connection'
import type { CopySequence, CopyTable } from './manifest'
import { copyTarget, quoteName, readMigrations, readSequences, readTables } from './tables'

/** A database at one moment, however long it is read and whatever is written meanwhile. */
export type Snapshot = {
  /** Reads something else of the same moment. */
  query: <R extends pg.QueryResultRow>(sql: string, values?: unknown[]) => Promise<pg.QueryResult<R>>
  /** The server's version, such as 18.4. */
  postgres: string
  migrations: string[]
  tables: CopyTable[]
  sequences: CopySequence[]
  /** A table's rows as COPY writes them. One at a time. */
  read: (table: CopyTable) => Promise<Readable & { rowCount: number }>
}

/**
 * Calls `work` with a database as it is now. The service goes on meanwhile; a migration waits.
 * Throws a CliError for a database that was never migrated.
 */
export async function withSnapshot<T>(url: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return withCopyConnection(url, async (db) => {
    const known = await readTables(db)
    if (known.length === 0 || (await readMigrations(db)).length === 0)
      throw new CliError('The database is empty: there is nothing to copy.')
    await db.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    // Before the snapshot is taken, so that no migration changes what it sees.
    await db.query(`LOCK TABLE ${known.map(({ name }) => `public.${quoteName(name)}`).join(', ')} IN ACCESS SHARE MODE`)
    const { rows } = await db.query(`SELECT current_setting('server_version') AS version`)
    const [postgres] = String(rows[0].version).split(' ')
    // A stream ends before its connection may be used again.
    let idle: Promise<unknown> = Promise.resolve()
    const done = await work({
      query: async (sql, values) => {
        await idle
        return db.query(sql, values)
      },
      postgres: postgres ?? '',
      migrations: await readMigrations(db),
      tables: await readTables(db),
      sequences: await readSequences(db),
      read: async (table) => {
        await idle
        idle = once(db, 'drain')
        idle.catch(() => {})
        return db.query(to(`COPY ${copyTarget(table)} TO STDOUT`))
      },
    })
    await idle
    await db.query('COMMIT')
    return done
  })
}
