import type pg from 'pg'
import { databaseDown, isDatabaseDown, readPool } from '../db'
import { AppError } from '../errors'
import { cancelQuery } from '../kit/pg-cancel'

export type ReadOptions = {
  /** Aborts when nobody waits for the answer any more: the query is then cancelled. */
  signal?: AbortSignal
  /** Milliseconds the query may take, where the pool's own bound does not fit. */
  withinMs?: number
}

/**
 * Runs one query on the read pool and returns its rows. Throws `unavailable` when it takes too long, when no connection
 * becomes free, when the signal aborts, or when the database is away.
 */
export async function read<R extends pg.QueryResultRow>(
  text: string,
  values: unknown[],
  { signal, withinMs }: ReadOptions = {},
): Promise<R[]> {
  let db: pg.PoolClient
  try {
    db = await readPool().connect()
  } catch (error) {
    throw WAITED.test((error as Error).message) ? tooSlow(error) : unavailable(error)
  }
  let cancelled: Promise<void> | undefined
  let broken: Error | undefined
  const lose = (error: Error) => {
    broken = error
  }
  const cancel = () => {
    cancelled = cancelQuery(db)
  }
  db.on('error', lose)
  try {
    if (signal?.aborted) throw clientGone()
    signal?.addEventListener('abort', cancel, { once: true })
    if (withinMs === undefined) return (await db.query<R>(text, values)).rows
    await db.query(`BEGIN; SET LOCAL statement_timeout = ${Math.ceil(withinMs)}`)
    const { rows } = await db.query<R>(text, values)
    await db.query('COMMIT')
    return rows
  } catch (error) {
    if (withinMs !== undefined) await db.query('ROLLBACK').catch(lose)
    if (signal?.aborted) throw clientGone()
    throw (error as { code?: string }).code === '57014' ? tooSlow(error) : unavailable(error)
  } finally {
    signal?.removeEventListener('abort', cancel)
    await cancelled
    db.off('error', lose)
    db.release(broken ?? cancelled !== undefined)
  }
}

/** What the pool says when no connection became free. */
const WAITED = /timeout exceeded when trying to connect/

const unavailable = (error: unknown): unknown => (isDatabaseDown(error) ? databaseDown(error) : error)

const clientGone = (): AppError => new AppError('unavailable', 'The client disconnected.')

/** A read that was given up. */
const tooSlow = (cause: unknown): AppError =>
  new AppError('unavailable', 'Reading this took too long. Narrow the days or the filters, or try again later.', {
    retryAfter: 5,
    cause,
  })
