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
/** A server ends what takes too long; a connection whose server does not is cut after this long, whatever it is doing. */
const LIFETIME_MS = STATEMENT_MS + 15_000
/** How long a connection may take to close. */
const CLOSE_MS = 1_000

/**
 * A connection to an owner's database: only to public addresses, only with what `address` holds, and bounded in bytes
 * and time whatever the server does. Throws `invalid_request` for a blocked address, `upstream_error` for the rest.
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
    throw notReached(error, address)
  }
}

/** Ends a connection; one whose server does not close is cut. */
export async function closeOwnerDatabase(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => {}), sleep(CLOSE_MS, undefined, { ref: false })])
  destroyConnection(client)
}

/** Drops a connection at once, whatever it is doing; a statement that is running then fails with `error`. */
export function destroyConnection(client: pg.Client, error?: Error): void {
  // The socket, or the TLS stream over it.
  const { stream } = client.connection as unknown as { stream: Socket }
  stream.destroy(error)
}

function limitLifetime(client: pg.Client, lifetimeMs: number): void {
  const late = () => destroyConnection(client, new AppError('upstream_error', 'The database did not answer in time.'))
  const timer = setTimeout(late, lifetimeMs)
  client.once('end', () => clearTimeout(timer))
}

/** A socket that connects to checked addresses only: a name that resolves to another one after the check gains nothing. */
function guardedSocket({ host, port }: DatabaseAddress): Socket {
  const lookup = guardedLookup({ allow: env().ALLOW_PRIVATE_HOSTS }, host, port)
  const socket = new Socket()
  const connect = socket.connect.bind(socket) as (options: object) => Socket
  return Object.assign(socket, { connect: () => connect({ host: bareHost(host), port, lookup }) })
}

/** Throws a blocked error at once for a literal address that is not public. */
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
    // Stated, because the driver looks for what is missing in PGSSLNEGOTIATION and PGCLIENTENCODING.
    sslnegotiation: 'postgres',
    client_encoding: 'utf8',
    stream: () => guardedSocket(address),
  })
  client.on('error', () => {})
  forgetEnvironment(client)
  guardWire(client)
  return client
}

/** Takes back what the driver read from PGOPTIONS, PGREPLICATION and PGBINARY, which cannot be stated as absent. */
function forgetEnvironment(client: pg.Client): void {
  const internals = client as unknown as { connectionParameters: Record<string, unknown> }
  Object.assign(internals.connectionParameters, { options: undefined, replication: undefined, binary: false })
}

/** Why a database was not reached, in words without its credentials. */
function notReached(error: unknown, { host, port }: DatabaseAddress): AppError {
  if (error instanceof AppError) return error
  const failure = dialFailure(error)
  if (failure === 'blocked') return invalidDatabaseUrl(`names ${host}, which is not a public address`)
  const { message = '', severity } = error as { message?: string; severity?: string }
  const why = severity
    ? message
    : failure === 'unresolved'
      ? 'its name is not known'
      : failure === 'refused'
        ? 'it refused the connection'
        : message.includes('timeout')
          ? 'it did not answer in time'
          : 'the connection failed'
  return new AppError('upstream_error', `The database at ${host}:${port} was not reached: ${why}.`, { cause: error })
}
