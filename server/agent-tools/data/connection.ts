import type pg from 'pg'
import { prisma } from '../../db'
import { env } from '../../env'
import { AppError } from '../../errors'
import { decryptText, encryptText } from '../../kit/encryption'
import { databaseLabel, invalidDatabaseUrl, parseDatabaseUrl } from './address'
import { closeOwnerDatabase, destroyConnection, openOwnerDatabase } from './open-database'

/** A database of ours is nobody's to connect, by whatever name it is reached. Throws `upstream_error` when it cannot tell. */
async function refuseOwn(client: pg.Client): Promise<void> {
  const { rowCount } = await client
    .query(`SELECT 1 FROM pg_proc WHERE proname = 'credits_reserve'`)
    .catch((error: unknown) => {
      throw error instanceof AppError ? error : statementRefused(error)
    })
  if (rowCount) throw invalidDatabaseUrl('leads to a database of this gateway, which cannot be connected')
}

/** `upstream_error` in the words of an owner's database. */
export const statementRefused = (error: unknown): AppError =>
  new AppError('upstream_error', `The database refused the statement: ${(error as Error).message}`, { cause: error })

const bound = (ownerId: number) => `database of owner ${ownerId}`

function keyOr(): string {
  const { ENCRYPTION_KEY } = env()
  if (ENCRYPTION_KEY) return ENCRYPTION_KEY
  throw new AppError('invalid_request', 'Databases cannot be connected here: the operator has set no ENCRYPTION_KEY.')
}

/** Whether owners can connect a database here. */
export const canConnectDatabases = (): boolean => env().ENCRYPTION_KEY !== undefined

/**
 * Connects an owner's PostgreSQL: tried once, then kept encrypted. Answers what is shown of it.
 * Throws `invalid_request` for an address that may not be used, `upstream_error` for one that does not answer.
 */
export async function connectOwnerDatabase(ownerId: number, url: string): Promise<{ label: string }> {
  const key = keyOr()
  const address = parseDatabaseUrl(url)
  const client = await openOwnerDatabase(address)
  try {
    await refuseOwn(client)
  } finally {
    await closeOwnerDatabase(client)
  }
  const data = {
    databaseUrl: new Uint8Array(encryptText(url, key, bound(ownerId))),
    databaseLabel: databaseLabel(address),
    updatedAt: new Date(),
  }
  await prisma().agentSettings.upsert({ where: { ownerId }, create: { ownerId, ...data }, update: data })
  return { label: data.databaseLabel }
}

/** Forgets an owner's database. */
export async function disconnectOwnerDatabase(ownerId: number): Promise<void> {
  await prisma().agentSettings.updateMany({ where: { ownerId }, data: { databaseUrl: null, databaseLabel: null } })
}

/** Runs something on an owner's database, on a connection of its own. Throws `invalid_request` when none is connected. */
export async function withOwnerDatabase<T>(
  ownerId: number,
  signal: AbortSignal,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const key = keyOr()
  const settings = await prisma().agentSettings.findUnique({ where: { ownerId } })
  if (!settings?.databaseUrl)
    throw new AppError('invalid_request', 'No database is connected. Its owner connects one in Settings.')
  const url = decryptText(settings.databaseUrl, key, bound(ownerId))
  if (url === null)
    throw new AppError(
      'invalid_request',
      'The connected database has to be connected again: its address can no longer be read.',
    )
  signal.throwIfAborted()
  const client = await openOwnerDatabase(parseDatabaseUrl(url))
  const cut = () => destroyConnection(client)
  signal.addEventListener('abort', cut, { once: true })
  try {
    await refuseOwn(client)
    return await work(client)
  } finally {
    signal.removeEventListener('abort', cut)
    await closeOwnerDatabase(client)
  }
}
