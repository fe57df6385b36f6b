import { Socket } from 'node:net'
import pg from 'pg'
import { prisma } from '../../../db'
import { env } from '../../../env'
import { AppError, invalidRequest } from '../../../errors'
import { bareHost, dialFailure, guardedLookup } from '../../../kit/dial'
import { seal, unseal } from '../../../kit/seal'

const CONNECT_MS = 10_000
const STATEMENT_MS = 30_000

/** Where an owner's database is, and how it is entered. */
type Address = { host: string; port: number; user: string; password: string; database: string; tls: Tls }
/** `try`: with TLS where the server has it. */
type Tls = 'off' | 'try' | 'on' | 'verify'

const TLS: Record<string, Tls> = {
  disable: 'off',
  prefer: 'try',
  allow: 'try',
  require: 'on',
  'verify-ca': 'verify',
  'verify-full': 'verify',
}

const wrong = (message: string) => invalidRequest([{ path: ['url'], message }])

/** Takes a URL apart; nothing but these parts is ever used of it. Throws `invalid_request`. */
export function readAddress(text: string): Address {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === '')
    throw wrong('must be a postgresql://user:password@host:port/name URL')
  const { sslmode = 'prefer', ...rest } = Object.fromEntries(url.searchParams)
  const other = Object.keys(rest)[0]
  if (other) throw wrong(`has the parameter ${other}; only sslmode may stand there`)
  const tls = TLS[sslmode]
  if (!tls) throw wrong(`has sslmode=${sslmode}; there are ${Object.keys(TLS).join(', ')}`)
  const database = decodeURIComponent(url.pathname.slice(1))
  if (database === '') throw wrong('must name the database at its end')
  return {
    host: url.hostname,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database,
    tls,
  }
}

const labelOf = ({ host, port, database }: Address) => `${host}:${port}/${database}`

/** A socket that connects to checked addresses only: a name that changes its mind after the check gains nothing. */
function guardedSocket({ host, port }: Address): Socket {
  const lookup = guardedLookup({ allow: env().ALLOW_PRIVATE_HOSTS }, host, port)
  const socket = new Socket()
  const connect = socket.connect.bind(socket) as (options: object) => Socket
  return Object.assign(socket, { connect: () => connect({ host: bareHost(host), port, lookup }) })
}

async function open(address: Address, tls = address.tls): Promise<pg.Client> {
  let client: pg.Client | undefined
  try {
    client = makeClient(address, tls)
    await client.connect()
    return client
  } catch (error) {
    await client?.end().catch(() => {})
    if (tls === 'try' && /does not support SSL/i.test((error as Error).message)) return open(address, 'off')
    throw notReached(error, address)
  }
}

/** Throws a blocked error at once for a literal address that is not public. */
function makeClient(address: Address, tls: Tls): pg.Client {
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
    stream: () => guardedSocket(address),
  })
  client.on('error', () => {})
  return client
}

/** Why a database was not reached, in words without its credentials. */
function notReached(error: unknown, { host, port }: Address): AppError {
  if (error instanceof AppError) return error
  const failure = dialFailure(error)
  if (failure === 'blocked') return wrong(`names ${host}, which is not a public address`)
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

/** A database of ours is nobody's to connect, by whatever name it is reached. */
async function refuseOwn(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(`SELECT 1 FROM pg_proc WHERE proname = 'credits_reserve'`)
  if (rowCount) throw wrong('leads to a database of this gateway, which cannot be connected')
}

const bound = (ownerId: number) => `database of owner ${ownerId}`

function keyOr(): string {
  const { ENCRYPTION_KEY } = env()
  if (ENCRYPTION_KEY) return ENCRYPTION_KEY
  throw new AppError('invalid_request', 'Databases cannot be connected here: the operator has set no ENCRYPTION_KEY.')
}

/** Whether owners can connect a database here. */
export const canConnect = (): boolean => env().ENCRYPTION_KEY !== undefined

/**
 * Connects an owner's PostgreSQL: tried once, then kept encrypted. Answers what is shown of it.
 * Throws `invalid_request` for an address that may not be used, `upstream_error` for one that does not answer.
 */
export async function connectDatabase(ownerId: number, url: string): Promise<{ label: string }> {
  const key = keyOr()
  const address = readAddress(url)
  const client = await open(address)
  try {
    await refuseOwn(client)
  } finally {
    await client.end().catch(() => {})
  }
  const data = {
    databaseUrl: new Uint8Array(seal(url, key, bound(ownerId))),
    databaseLabel: labelOf(address),
    updatedAt: new Date(),
  }
  await prisma().agentSettings.upsert({ where: { ownerId }, create: { ownerId, ...data }, update: data })
  return { label: data.databaseLabel }
}

/** Forgets an owner's database. */
export async function disconnectDatabase(ownerId: number): Promise<void> {
  await prisma().agentSettings.updateMany({ where: { ownerId }, data: { databaseUrl: null, databaseLabel: null } })
}

/** Runs something on an owner's database, on a connection of its own. Throws `invalid_request` when none is connected. */
export async function withDatabase<T>(
  ownerId: number,
  signal: AbortSignal,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const key = keyOr()
  const settings = await prisma().agentSettings.findUnique({ where: { ownerId } })
  if (!settings?.databaseUrl)
    throw new AppError('invalid_request', 'No database is connected. Its owner connects one in Settings.')
  const url = unseal(settings.databaseUrl, key, bound(ownerId))
  if (url === null)
    throw new AppError(
      'invalid_request',
      'The connected database has to be connected again: its address can no longer be read.',
    )
  signal.throwIfAborted()
  const client = await open(readAddress(url))
  const cut = () => void client.end().catch(() => {})
  signal.addEventListener('abort', cut, { once: true })
  try {
    await refuseOwn(client)
    return await work(client)
  } finally {
    signal.removeEventListener('abort', cut)
    await client.end().catch(() => {})
  }
}
