import { setTimeout as sleep } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '../prisma/generated/client'
import { env } from './env'
import { AppError } from './errors'
import { log } from './kit/log'
import { once } from './kit/once'
import { type ReadOptions, readRows } from './kit/pg-read'

/** The process's PostgreSQL pool: the money path's raw calls and Prisma share it. Made at first use. */
export const pool = (): pg.Pool =>
  once('pool', () => {
    const made = new pg.Pool({ connectionString: env().DATABASE_URL, max: 16, connectionTimeoutMillis: 5_000 })
    made.on('error', (err) => log.warn({ err: err.message }, 'database connection lost'))
    return made
  })

/** The one Prisma client. Made at first use. */
export const prisma = (): PrismaClient => once('prisma', () => new PrismaClient({ adapter: new PrismaPg(pool()) }))

/** Deadlock and serialization failure: the transaction did nothing and may be tried again. */
const TRY_AGAIN = new Set(['40P01', '40001'])

/**
 * Runs statements as one transaction on one connection; it is committed when `work` returns and undone when it throws.
 * A deadlock or a serialization failure begins it anew. Throws `unavailable` when the database is away: the
 * transaction may then have been committed or not.
 */
export async function inTransaction<T>(work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactOnce(work)
    } catch (error) {
      if (TRY_AGAIN.has((error as { code?: string }).code ?? '') && attempt < 5) {
        await sleep(20 * 3 ** attempt * Math.random())
        continue
      }
      throw isDatabaseDown(error) ? databaseDown(error) : error
    }
  }
}

/**
 * Runs `work` as one transaction on a connection of its own, begun with `begin`. One that is lost, or that could not be
 * ended, is thrown away.
 */
export async function transactOnce<T>(work: (db: pg.PoolClient) => Promise<T>, begin = 'BEGIN'): Promise<T> {
  const db = await pool().connect()
  let broken: Error | undefined
  const lose = (error: Error) => {
    broken = error
  }
  // The pool listens for errors of idle connections only: one lost between two statements would end the process.
  db.on('error', lose)
  try {
    await db.query(begin)
    const done = await work(db)
    await db.query('COMMIT')
    return done
  } catch (error) {
    await db.query('ROLLBACK').catch(lose)
    throw error
  } finally {
    db.off('error', lose)
    db.release(broken)
  }
}

/** Ends every connection of this process. */
export async function closeDb(): Promise<void> {
  await Promise.all([prisma().$disconnect(), readPrisma().$disconnect()])
  for (const open of [pool(), readPool()]) if (!open.ended) await open.end()
}

const DOWN =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|P1001|P1002|P1008|P1017|57P0[1-5]|53300|08...)$/
const DOWN_TEXT =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/

/** True when an error means that the database cannot be reached, as opposed to having refused something. */
export function isDatabaseDown(error: unknown): boolean {
  const { code, message, cause, meta } = error as { code?: unknown; message?: unknown; cause?: unknown; meta?: unknown }
  if (typeof code === 'string' && DOWN.test(code)) return true
  if (typeof message === 'string' && DOWN_TEXT.test(message)) return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseDown)
  const inner = cause ?? (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError
  return inner !== undefined && inner !== null && inner !== error && isDatabaseDown(inner)
}

/** What callers hear when the database is away: try again soon, nothing was given away. */
export const databaseDown = (cause: unknown): AppError =>
  new AppError('unavailable', 'The service cannot reach its database. Try again in a moment.', { retryAfter: 2, cause })

/**
 * The pool of lists, sums and pages: small and read-only, so that reads neither take the connections of calls nor run
 * longer than a person waits. Made at first use.
 */
export const readPool = (): pg.Pool =>
  once('readPool', () => {
    const made = new pg.Pool({
      connectionString: env().DATABASE_URL,
      max: 4,
      connectionTimeoutMillis: 3_000,
      statement_timeout: env().READ_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'tollgate-reads',
      options: '-c default_transaction_read_only=on',
    })
    made.on('error', (err) => log.warn({ err: err.message }, 'database connection lost'))
    return made
  })

/** Prisma over the read pool: reads only. Made at first use. */
export const readPrisma = (): PrismaClient =>
  once('readPrisma', () => new PrismaClient({ adapter: new PrismaPg(readPool()) }))

/**
 * Runs one query on the read pool and returns its rows. Throws `unavailable` when it takes too long, when no connection
 * becomes free, when its signal aborts (the query is then cancelled), or when the database is away.
 */
export async function read<R extends pg.QueryResultRow>(
  text: string,
  values: unknown[],
  options: ReadOptions = {},
): Promise<R[]> {
  try {
    return await readRows<R>(readPool(), { text, values }, options)
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string }
    if (options.signal?.aborted) throw new AppError('unavailable', 'The client disconnected.', { cause: error })
    if (code === '57014' || message === NO_CONNECTION_FREE) throw tooSlow(error)
    throw isDatabaseDown(error) ? databaseDown(error) : error
  }
}

/** What the pool says when none of its connections became free in time. */
const NO_CONNECTION_FREE = 'timeout exceeded when trying to connect'

const tooSlow = (cause: unknown): AppError =>
  new AppError('unavailable', 'Reading this took too long. Narrow the days or the filters, or try again later.', {
    retryAfter: 5,
    cause,
  })
