import pg from 'pg'
import { isReadOnlyServer, isReadTimeout } from './pg-errors'

export type PoolSettings = {
  url: string
  /** Shown in `pg_stat_activity`. */
  name: string
  max: number
  /** Longest a statement may run, in ms; the server ends it. 0: as long as it takes. */
  statementMs: number
  /** Longest a statement may wait for another transaction's lock, in ms; the server ends it. */
  lockMs: number
  /** Every transaction is read-only. */
  readOnly?: boolean
  /**
   * A pooler lends a server for each transaction. It takes no settings of a session; the pooler has
   * to set the limits itself (docs/guides/scaling.md).
   */
  isPooled?: boolean
}

/** Longest to wait for a connection, a new one or a free one, milliseconds. */
export const CONNECT_MS = 5_000
/**
 * Longest a transaction may wait for its next statement: a frozen process holds its locks no
 * longer.
 */
const IDLE_IN_TRANSACTION_MS = 5_000
/** How much longer the client waits than the server runs, before it takes the server for dead. */
const SILENCE_MS = 1_500
/** How long a peer may take to close a connection. */
const GOODBYE_MS = 1_000

/**
 * How every connection to PostgreSQL is made. The three timeouts of the server go as startup
 * parameters (pg's own fields), so they cost no round trip and hold from the first statement.
 * PgBouncer in session mode has to ignore them (`ignore_startup_parameters`); then they are set on
 * the role instead.
 */
export const connectionSettings = ({ url, name, max, statementMs, lockMs, readOnly, isPooled }: PoolSettings) => ({
  connectionString: url,
  application_name: name,
  max,
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  query_timeout: statementMs && statementMs + SILENCE_MS,
  ...(!isPooled && {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    ...(readOnly && { options: '-c default_transaction_read_only=on' }),
  }),
})

/**
 * A pool that gives up on connections that lead nowhere: to a server that has not answered a query
 * for longer than it may run it, or, where the pool writes, to one that may not, as a replica that
 * a load balancer took for the primary. It destroys the socket, and with it those of the pool's
 * idle connections, which most likely lead there too. `onLost` is called for every idle connection
 * that was lost.
 */
export function makePool(settings: PoolSettings, onLost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool(connectionSettings(settings))
  const idle = new Set<pg.PoolClient>()
  const dropIdle = () => {
    for (const client of idle) hangUp(client)
  }
  const isUseless = (error: unknown) => isReadTimeout(error) || (!settings.readOnly && isReadOnlyServer(error))
  pool.on('error', onLost)
  pool.on('connect', (client) => bound(client, isUseless, dropIdle))
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('remove', (client) => idle.delete(client))
  pool.on('release', (error, client) => {
    if (!error) idle.add(client)
    else if (isUseless(error)) dropIdle()
  })
  return pool
}

const hangUp = (client: pg.PoolClient): void => {
  client.connection.stream.destroy()
}

/**
 * Bounds what pg leaves open on a connection: one that timed out would go back to the pool with its
 * query still running, and `end` would wait for a frozen peer's goodbye.
 */
function bound(client: pg.PoolClient, isUseless: (error: unknown) => boolean, onUseless: () => void): void {
  const { query, end } = client
  const giveUp = (error: unknown) => {
    if (!isUseless(error)) return
    hangUp(client)
    onUseless()
  }
  // Prisma sends reads of a transaction side by side; the next version of pg will not queue them.
  let waiting: Promise<unknown> | null = null
  // `query` has seven signatures; all are passed through as they came.
  client.query = ((...given: unknown[]) => {
    const send = (): unknown => Reflect.apply(query, client, given)
    const answer = waiting && !isCalledBack(given) ? waiting.then(send) : send()
    if (!(answer instanceof Promise)) return answer
    const over = () => {
      if (waiting === settled) waiting = null
    }
    const settled: Promise<unknown> = answer.then(over, (error: unknown) => {
      over()
      giveUp(error)
    })
    waiting = settled
    return answer
  }) as typeof client.query
  client.end = ((...given: unknown[]) => {
    const late = setTimeout(hangUp, GOODBYE_MS, client).unref()
    client.once('end', () => clearTimeout(late))
    return Reflect.apply(end, client, given)
  }) as typeof client.end
}

/** Whether the answer of a query is not a promise: a callback's, or a stream's. */
const isCalledBack = (given: readonly unknown[]): boolean =>
  typeof given.at(-1) === 'function' || typeof (given[0] as { submit?: unknown }).submit === 'function'
