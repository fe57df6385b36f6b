import type pg from 'pg'
import { cancelQuery } from './pg-cancel'

export type ReadOptions = {
  /** Aborts when nobody waits for the answer any more: the query is then cancelled. */
  signal?: AbortSignal
  /** Milliseconds the query may take, where the connection's own bound does not fit. */
  withinMs?: number
}

/**
 * Runs one query on a pool and returns its rows. Once the signal aborts it is cancelled in the
 * database, or not begun, and throws what `signal.reason` is; a cancelled query's connection is not
 * used again.
 */
export async function readRows(
  pool: pg.Pool,
  query: { text: string; values: unknown[] },
  { signal, withinMs }: ReadOptions,
): Promise<Record<string, unknown>[]> {
  const db = await pool.connect()
  let cancelled: Promise<void> | undefined
  let broken: Error | undefined
  const lose = (error: Error) => {
    broken = error
  }
  const ended = new AbortController()
  const cancel = () => {
    cancelled = cancelQuery(db, ended.signal)
  }
  db.on('error', lose)
  try {
    signal?.throwIfAborted()
    signal?.addEventListener('abort', cancel, { once: true })
    if (withinMs === undefined) return (await db.query(query)).rows
    await db.query(`BEGIN; SET LOCAL statement_timeout = ${Math.ceil(withinMs)}`)
    // The driver reads a timeout per query, which its types leave out.
    const bounded: pg.QueryConfig & { query_timeout: number } = { ...query, query_timeout: withinMs + 1_500 }
    const { rows } = await db.query(bounded)
    await db.query('COMMIT')
    return rows
  } catch (error) {
    signal?.throwIfAborted()
    if (withinMs !== undefined) await db.query('ROLLBACK').catch(lose)
    throw error
  } finally {
    signal?.removeEventListener('abort', cancel)
    ended.abort()
    await cancelled
    db.off('error', lose)
    db.release(broken ?? cancelled !== undefined)
  }
}
