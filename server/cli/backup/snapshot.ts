import type { Readable } from 'node:stream'
import type pg from 'pg'
import { to } from 'pg-copy-streams'
import { CliError } from '../project'
import { withCopyConnection } from './connection'
import type { CopySequence, CopyTable } from './manifest'
import { copyTarget, quoteName, readMigrations, readSequences, readTables } from './tables'

/** A database at one moment, however long it is read and whatever is written meanwhile. */
export type Snapshot = {
  db: pg.Client
  /** The server's version, such as 18.4. */
  postgres: string
  migrations: string[]
  tables: CopyTable[]
  sequences: CopySequence[]
  /** A table's rows as COPY writes them. One at a time. */
  read: (table: CopyTable) => Readable & { rowCount: number }
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
    const done = await work({
      db,
      postgres: postgres ?? '',
      migrations: await readMigrations(db),
      tables: await readTables(db),
      sequences: await readSequences(db),
      read: (table) => db.query(to(`COPY ${copyTarget(table)} TO STDOUT`)),
    })
    await db.query('COMMIT')
    return done
  })
}
