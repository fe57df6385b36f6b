import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { env } from '../../env'
import { AppError } from '../../errors'
import { bareHost, dialFailure, guardedLookup } from '../../kit/dial'
import { type DatabaseAddress, invalidDatabaseUrl, type TlsMode } from './address'
import { guardWire } from './wire-guard'

const CONNECT_MS = 10_000
const STATEMENT_MS = 30_000
/**
 * The server should end a slow statement. Where it does not, the connection is destroyed after this
 * long.
 */
const LIFETIME_MS = STATEMENT_MS + 15_000
/** How long a connection may take to close. */
const CLOSE_MS = 1_000

/**
 * Connects to an owner's database: only to public addresses, only with what `address` holds, and
 * limited in bytes and time whatever the server does. Throws `invalid_request` for a blocked
 * address, `upstream_error` for other failures.
 */
export async function openOwnerDatabase(
  address: DatabaseAddress,
  { tls = address.tls, lifetimeMs = LIFETIME_MS }: { tls?: TlsMode; lifetimeMs?: number } = {},
): Promise<pg.Client> {
  let client: pg.Client | undefined
  try {
    client = makeClient(address, tls)
    await client.connect()
    limitLifetime(client, lifetimeMs)
    return client
  } catch (error) {
    if (client) await closeOwnerDatabase(client)
    if (tls === 'try' && /does not support SSL/i.test((error as Error).message))
      return openOwnerDatabase(address, { tls: 'off', lifetimeMs })
    throw connectionFailed(error, address)
  }
}

/** Closes a connection, and destroys one whose server does not close it. */
export async function closeOwnerDatabase(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => {}), sleep(CLOSE_MS, undefined, { ref: false })])
  destroyConnection(client)
}

/** Destroys a connection at once; a statement in progress fails with `error`. */
export function destroyConnection(client: pg.Client, error?: Error): void {
  // The socket, or its TLS stream.
  const { stream } = client.connection as unknown as { stream: Socket }
  stream.destroy(error)
}

function limitLifetime(client: pg.Client, lifetimeMs: number): void {
  const error = new AppError('upstream_error', 'The database did not respond in time.')
  const timer = setTimeout(() => destroyConnection(client, error), lifetimeMs)
  client.once('end', () => clearTimeout(timer))
}

/**
 * A socket that checks the address it connects to, so that a host name cannot resolve to another
 * one after the check.
 */
function guardedSocket({ host, port }: DatabaseAddress): Socket {
  const lookup = guardedLookup({ allow: env().ALLOW_PRIVATE_HOSTS }, host, port)
  const socket = new Socket()
  const connect = socket.connect.bind(socket) as (options: object) => Socket
  return Object.assign(socket, { connect: () => connect({ host: bareHost(host), port, lookup }) })
}

/** Throws at once for a literal address that is not public. */
function makeClient(address: DatabaseAddress, tls: TlsMode): pg.Client {
  const { host, port, user, password, database } = address
  const client = new pg.Client({
    host: bareHost(host),
    port,
    user,
    password,
    database,
    ssl: tls === 'off' ? false : { rejectUnauthorized: tls === 'verify', servername: bareHost(host) },
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    application_name: 'tollgate',
    // Given here, because the driver would take missing values from PGSSLNEGOTIATION and
    // PGCLIENTENCODING.
    sslnegotiation: 'postgres',
    client_encoding: 'utf8',
    stream: () => guardedSocket(address),
  })
  client.on('error', () => {})
  ignoreEnvironment(client)
  guardWire(client)
  return client
}

/**
 * Resets what the driver read from PGOPTIONS, PGREPLICATION and PGBINARY, which no option can
 * unset.
 */
function ignoreEnvironment(client: pg.Client): void {
  const internals = client as unknown as { connectionParameters: Record<string, unknown> }
  Object.assign(internals.connectionParameters, { options: undefined, replication: undefined, binary: false })
}

/** Why the connection failed, without credentials. */
function connectionFailed(error: unknown, { host, port }: DatabaseAddress): AppError {
  if (error instanceof AppError) return error
  const failure = dialFailure(error)
  if (failure === 'blocked') return invalidDatabaseUrl(`has the host ${host}, which is not a public address`)
  const { message = '', severity } = error as { message?: string; severity?: string }
  const why = severity
    ? message
    : failure === 'unresolved'
      ? 'its host name cannot be resolved'
      : failure === 'refused'
        ? 'it refused the connection'
        : message.includes('timeout')
          ? 'it did not respond in time'
          : 'the connection failed'
  return new AppError('upstream_error', `The database at ${host}:${port} cannot be reached: ${why}.`, { cause: error })
}
