/** What an error of PostgreSQL, of its driver or of Prisma means for the caller of a statement. */
export type DatabaseFault =
  /** The connection was lost or never made: the statement may have been done or not. */
  | 'lost'
  /** The server gave up on the statement, or cannot write or take part now: nothing was done. */
  | 'refused'
  /** Another transaction held a lock for longer than `lock_timeout`: nothing was done. */
  | 'locked'
  /**
   * Deadlock or serialization failure: nothing was done, and the same again may succeed at once.
   */
  | 'conflict'

/**
 * The one table of codes: SQLSTATE, Node's socket errors, Prisma's. A code that is not here is the
 * statement's own fault.
 */
const CODES: readonly [RegExp, DatabaseFault][] = [
  [/^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, 'lost'],
  // Connection exceptions; an administrator's or a crash's shutdown; a session ended for idling in
  // its transaction.
  [/^(08...|57P0[1-5]|25P03)$/, 'lost'],
  // P1xxx: Prisma could not connect. P2024, P2028, P2037: no connection free, transaction not
  // begun, too many connections.
  [/^(P1001|P1002|P1008|P1017|P2028)$/, 'lost'],
  [/^(P2024|P2037)$/, 'refused'],
  // Read-only after a failover; 53xxx: disk full, out of memory, too many connections; I/O error;
  // statement timeout.
  [/^(25006|53...|58030|57014)$/, 'refused'],
  [/^55P03$/, 'locked'],
  [/^(40P01|40001|P2034)$/, 'conflict'],
]

/** The driver gives these no code. */
const LOST_TEXT =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed and is not queryable|Query read timeout/

/** What an error means, or null when the database was there and the statement itself was wrong. */
export function databaseFault(error: unknown): DatabaseFault | null {
  if (typeof error !== 'object' || error === null) return null
  const { code, originalCode, message, cause, meta } = error as Record<string, unknown>
  // Prisma's own code may say less than the SQLSTATE inside, which is looked at first.
  const inner = cause ?? (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError
  const found = inner === error ? null : databaseFault(inner)
  if (found) return found
  for (const given of [originalCode, code]) {
    const known = typeof given === 'string' && CODES.find(([pattern]) => pattern.test(given))
    if (known) return known[1]
  }
  if (typeof message === 'string' && LOST_TEXT.test(message)) return 'lost'
  if (error instanceof AggregateError) return error.errors.map(databaseFault).find((fault) => fault !== null) ?? null
  return null
}

/** True when the peer of a connection was silent for the whole of a query's time. */
export const isReadTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout'

/** True when a server that may not write, such as a replica, was asked to. */
export const isReadOnlyServer = (error: unknown): boolean =>
  error instanceof Error && (error as Error & { code?: unknown }).code === '25006'
