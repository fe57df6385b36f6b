import pg from 'pg'
import { describeDatabaseError } from '../migrations/database-error'

/**
 * Text that every server reads the same way, and time: whoever copies a table waits as long as it
 * takes.
 */
const SESSION = `SET client_encoding = 'UTF8'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres';
  SET timezone = 'UTC'; SET extra_float_digits = 3; SET bytea_output = 'hex'; SET statement_timeout = 0;
  SET idle_in_transaction_session_timeout = 0; SET search_path = public`

/** Lends a connection for copying whole tables. It is closed at the end, whatever happens. */
export async function withCopyConnection<T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'tollgate backup',
  })
  // A connection that is lost between two statements fails the next one.
  db.on('error', () => {})
  await db.connect().catch((error: unknown) => {
    throw describeDatabaseError(error, url)
  })
  try {
    await db.query(SESSION)
    return await work(db)
  } finally {
    await db.end().catch(() => {})
  }
}
