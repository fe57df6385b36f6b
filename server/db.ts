import { AsyncLocalStorage } from 'node:async_hooks'
import { PrismaPg } from '@prisma/adapter-pg'
import pLimit from 'p-limit'
import type pg from 'pg'
import { type Prisma, PrismaClient } from '../prisma/generated/client'
import { directDatabaseUrl, env } from './env'
import { AppError } from './errors'
import type { SendToBatch } from './kit/batch'
import { makeOwnerBatcher } from './kit/batch-by-owner'
import { connectionName, shareConnections } from './kit/connections'
import { lazy } from './kit/lazy'
import { log } from './kit/log'
import { measurePool } from './kit/metrics/pool-metrics'
import { counter } from './kit/metrics/registry'
import { currentPageRequest } from './kit/page-request'
import { databaseFault } from './kit/pg-errors'
import { CONNECT_MS, makePool, type PoolSettings } from './kit/pg-pool'
import { type ReadOptions, readRows } from './kit/pg-read'
import { withRetries } from './kit/pg-retry'
import { queryConfig, rowsOf, type Statement } from './kit/statement'

/** The name of a pool in metrics, and what it is for, as its connections say. */
const USES = { main: 'tollgate', hot: 'tollgate-hot', reads: 'tollgate-reads' } as const

type Limits = Pick<PoolSettings, 'statementMs' | 'lockMs' | 'readOnly' | 'isPooled'>

function openPool(use: keyof typeof USES, limits: Limits): pg.Pool {
  const url = limits.isPooled ? env().DATABASE_URL : directDatabaseUrl(env())
  const max = shareConnections(env().DATABASE_CONNECTIONS)[use]
  const onLost = (error: Error) => log.warn({ pool: USES[use], err: error.message }, 'database connection lost')
  return measurePool(USES[use], makePool({ url, name: connectionName(use), max, ...limits }, onLost))
}

/** Whether DATABASE_URL leads to a pooler that lends a server for each transaction. */
const isPooled = (): boolean => env().DATABASE_DIRECT_URL !== undefined

const failures = counter(
  'tollgate_database_failures_total',
  'Statements and transactions given up because the database could not serve, by what went wrong',
  ['fault'],
)

/** The process's PostgreSQL pool, which Prisma shares. Made at first use. */
export const mainPool = lazy<pg.Pool>(() =>
  openPool('main', { statementMs: 5_000, lockMs: 4_000, isPooled: isPooled() }),
)

/**
 * The pool of what every call does: authentication and the ledger's batches. They never wait for a
 * connection behind anything else, and for a lock only so long that one who holds it does not hold
 * up the others of a batch.
 */
export const hotPool = lazy<pg.Pool>(() => openPool('hot', { statementMs: 2_000, lockMs: 250 }))

/**
 * The one Prisma client. Made at first use. A transaction waits for a connection as a statement
 * does.
 */
export const prisma = lazy<PrismaClient>(
  () => new PrismaClient({ adapter: new PrismaPg(mainPool()), transactionOptions: { maxWait: CONNECT_MS } }),
)

/** What a transaction's work runs on: Prisma's client, for reads and writes, and for `runIn`. */
export type Transaction = Prisma.TransactionClient

/**
 * Runs `work` as one transaction: committed when it returns, undone when it throws. It is begun
 * again after a deadlock, a serialization failure or a refusal, so it must do nothing outside of
 * the database. Throws `unavailable` when the database cannot serve: the transaction may then have
 * been committed or not.
 */
export async function inTransaction<T>(
  work: (tx: Transaction) => Promise<T>,
  limits: { maxWait?: number; timeout?: number } = {},
): Promise<T> {
  try {
    return await withRetries(() => prisma().$transaction(work, limits), { isRepeatable: false })
  } catch (error) {
    throw isDatabaseUnavailable(error) ? databaseUnavailable(error) : error
  }
}

/** Writes the line of an act into the audit log; `output`: what the act's transaction returns. */
type WriteLine = (tx: Transaction, output: unknown) => Promise<void>
const dueLines = new AsyncLocalStorage<{ write: WriteLine; isWritten: boolean }>()

/**
 * Runs `work` as `inTransaction` does, for what may be an act that the audit log has: its line is
 * written in the same transaction, so that both are stored or neither.
 */
export async function inAct<T>(
  work: (tx: Transaction) => Promise<T>,
  limits?: { maxWait?: number; timeout?: number },
): Promise<T> {
  const line = dueLines.getStore()
  if (!line || line.isWritten) return inTransaction(work, limits)
  const output = await inTransaction(async (tx) => {
    const made = await work(tx)
    await line.write(tx, made)
    return made
  }, limits)
  line.isWritten = true
  return output
}

/**
 * Runs an act: `write` writes its line in the transaction of the first `inAct` that `run` comes to.
 * Throws where there is none: the act then must not be one of the audit log's.
 */
export async function withLine<T>(write: WriteLine, run: () => Promise<T>): Promise<T> {
  const line = { write, isWritten: false }
  const result = await dueLines.run(line, run)
  if (!line.isWritten) throw new Error('An act did nothing in a transaction that takes its line.')
  return result
}

/** A row as the driver has it: Prisma makes bigint of what `RowOf` has as text. */
const asDriverReads = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([name, of]) => [name, typeof of === 'bigint' ? String(of) : of]))

/** Runs one statement in a transaction and returns its rows. */
export async function runIn<V extends readonly unknown[], R>(
  tx: Transaction,
  statement: Statement<V, R>,
  values: NoInfer<V>,
): Promise<R[]> {
  const rows = await tx.$queryRawUnsafe<Record<string, unknown>[]>(statement.text, ...values)
  return rowsOf(statement, rows.map(asDriverReads))
}

export type StatementOptions = {
  /**
   * False for what must not be done twice: after a lost connection nobody knows whether it was done
   * once.
   */
  repeatable?: boolean
  /**
   * A batch shared by callers: it runs on the hot pool, and the error of a lock that was held too
   * long is thrown as it is, for the batch to be split.
   */
  shared?: boolean
}

async function query<V extends readonly unknown[]>(
  statement: Statement<V>,
  values: NoInfer<V>,
  { repeatable = true, shared = false }: StatementOptions,
): Promise<pg.QueryResult> {
  const run = () =>
    shared
      ? hotPool().query(queryConfig(statement, values))
      : mainPool().query(queryConfig(statement, values, { isPooled: isPooled() }))
  const onRetry = (error: Error) =>
    log.warn({ sql: statement.name, err: error.message }, 'statement failed: trying again')
  try {
    return await withRetries(run, { isRepeatable: repeatable, passOn: shared ? 'locked' : undefined, onRetry })
  } catch (error) {
    const fault = databaseFault(error)
    const isThrown = fault === null || fault === 'conflict' || (shared && fault === 'locked')
    throw isThrown ? error : databaseUnavailable(error)
  }
}

/**
 * Runs one statement as one transaction and returns its rows. It is tried again after a deadlock,
 * where the server refused for want of something, and, if `repeatable`, after a lost connection.
 * Throws `unavailable` when the database stays away, and a conflict that stays as it is.
 */
export const runStatement = async <V extends readonly unknown[], R>(
  statement: Statement<V, R>,
  values: NoInfer<V>,
  options: StatementOptions = {},
): Promise<R[]> => rowsOf(statement, (await query(statement, values, options)).rows)

/** Runs one statement as `runStatement` does and returns how many rows it wrote. */
export const executeStatement = async <V extends readonly unknown[]>(
  statement: Statement<V>,
  values: NoInfer<V>,
  options: StatementOptions = {},
): Promise<number> => (await query(statement, values, options)).rowCount ?? 0

/** A batch that did nothing, because another transaction held one of its locks for too long. */
const isLocked = (error: unknown): boolean => databaseFault(error) === 'locked'

const busy = (why: 'full' | 'locked'): AppError =>
  new AppError(
    'unavailable',
    why === 'full'
      ? 'Too many calls are waiting. Try again in a moment.'
      : 'The account is busy. Try again in a moment.',
    { retryAfter: why === 'full' ? 1 : 2 },
  )

/** The batches of owners whose locks are held take half of the hot pool's connections together. */
const slowBatches = lazy(() => pLimit(Math.floor(shareConnections(env().DATABASE_CONNECTIONS).hot / 2)))

/**
 * Makes a batcher of statements run with `shared`, of which one owner's held lock stops nobody
 * else. Its callers get `unavailable` when too many wait or their owner's lock stays held; nothing
 * was done then.
 */
export const sharedBatch = <I, O>(
  run: (items: I[]) => Promise<(O | PromiseLike<O>)[]>,
  ownerOf: (item: I) => string | number,
  { maxItems, delayOf }: { maxItems?: number; delayOf?: (item: I) => number } = {},
): SendToBatch<I, O> =>
  makeOwnerBatcher(run, {
    ownerOf,
    maxItems,
    delayOf,
    isLocked,
    slots: (work) => slowBatches()(work),
    busy,
  })

/** Ends every connection of this process. Pools that are used again are made anew. */
export async function closeDb(): Promise<void> {
  await Promise.all([prisma.reset()?.$disconnect(), readPrisma.reset()?.$disconnect()])
  const pools = [mainPool, hotPool, readPool].map((pool) => pool.reset())
  await Promise.all(pools.map((made) => (made && !made.ended ? made.end() : undefined)))
}

/**
 * True when an error means that the database cannot serve now, as opposed to having refused a wrong
 * statement.
 */
export const isDatabaseUnavailable = (error: unknown): boolean => databaseFault(error) !== null

/**
 * What callers get while the database is away: try again soon, nothing was given away. Also noted
 * for a page's status.
 */
export function databaseUnavailable(cause: unknown): AppError {
  failures.labels(databaseFault(cause) ?? 'other').inc()
  const page = currentPageRequest()
  if (page) page.isDatabaseDown = true
  const text = 'The service cannot reach its database. Try again in a moment.'
  return new AppError('unavailable', text, { retryAfter: 2, cause })
}

/**
 * The pool of lists, sums and pages: small and read-only, so that reads neither take the
 * connections of calls nor run longer than a person waits. Made at first use.
 */
export const readPool = lazy<pg.Pool>(() =>
  openPool('reads', {
    statementMs: env().READ_TIMEOUT_MS,
    lockMs: 1_000,
    readOnly: true,
    isPooled: isPooled(),
  }),
)

/** Prisma over the read pool: reads only. Made at first use. */
export const readPrisma = lazy<PrismaClient>(() => new PrismaClient({ adapter: new PrismaPg(readPool()) }))

/**
 * Runs one statement on the read pool and returns its rows. Throws `unavailable` when it takes too
 * long, when no connection becomes free, when its signal aborts (the query is then cancelled), or
 * when the database is away.
 */
export async function runRead<V extends readonly unknown[], R>(
  statement: Statement<V, R>,
  values: NoInfer<V>,
  options: ReadOptions = {},
): Promise<R[]> {
  try {
    return rowsOf(
      statement,
      await readRows(readPool(), queryConfig(statement, values, { isPooled: isPooled() }), options),
    )
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string }
    if (options.signal?.aborted) throw new AppError('unavailable', 'The client disconnected.', { cause: error })
    if (code === '57014' || message === NO_CONNECTION_FREE) throw tooSlow(error)
    throw isDatabaseUnavailable(error) ? databaseUnavailable(error) : error
  }
}

/** What the pool says when none of its connections became free in time. */
const NO_CONNECTION_FREE = 'timeout exceeded when trying to connect'

const tooSlow = (cause: unknown): AppError =>
  new AppError('unavailable', 'Reading this took too long. Narrow the days or the filters, or try again later.', {
    retryAfter: 5,
    cause,
  })
