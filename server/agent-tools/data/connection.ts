import type pg from 'pg'
import { inAct, prisma } from '../../db'
import { AppError } from '../../errors'
import { databaseLabel, invalidDatabaseUrl, parseDatabaseUrl } from './address'
import { decryptDatabaseUrl, encryptDatabaseUrl } from './database-url'
import { closeOwnerDatabase, destroyConnection, openOwnerDatabase } from './open-database'

/**
 * Refuses the gateway's own database, whatever host name it has. Throws `upstream_error` when the
 * check fails.
 */
async function refuseGatewayDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client
    .query(`SELECT 1 FROM pg_proc WHERE proname = 'credits_batch'`)
    .catch((error: unknown) => {
      throw error instanceof AppError ? error : statementRefused(error)
    })
  if (rowCount) throw invalidDatabaseUrl('leads to a database of this gateway, which cannot be connected')
}

/** `upstream_error` with the message of an owner's database. */
export const statementRefused = (error: unknown): AppError =>
  new AppError('upstream_error', `The database refused the statement: ${(error as Error).message}`, { cause: error })

/**
 * Stores an owner's PostgreSQL URL, encrypted, after connecting once. Returns the label that people
 * see.
 * Throws `invalid_request` for a URL that may not be used, and `upstream_error` where the
 * connection fails.
 */
export async function connectOwnerDatabase(ownerId: number, url: string): Promise<{ label: string }> {
  const databaseUrl = encryptDatabaseUrl(ownerId, url)
  const address = parseDatabaseUrl(url)
  const client = await openOwnerDatabase(address)
  try {
    await refuseGatewayDatabase(client)
  } finally {
    await closeOwnerDatabase(client)
  }
  const data = { databaseUrl, databaseLabel: databaseLabel(address), updatedAt: new Date() }
  return inAct(async (tx) => {
    await tx.agentSettings.upsert({ where: { ownerId }, create: { ownerId, ...data }, update: data })
    return { label: data.databaseLabel }
  })
}

/** Forgets an owner's database. */
export async function disconnectOwnerDatabase(ownerId: number): Promise<void> {
  const forgotten = { databaseUrl: null, databaseLabel: null }
  await inAct((tx) => tx.agentSettings.updateMany({ where: { ownerId }, data: forgotten }))
}

/**
 * Runs `work` on a new connection to an owner's database. Throws `invalid_request` when none is
 * connected.
 */
export async function withOwnerDatabase<T>(
  ownerId: number,
  signal: AbortSignal,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const settings = await prisma().agentSettings.findUnique({ where: { ownerId } })
  if (!settings?.databaseUrl)
    throw new AppError('invalid_request', 'No database is connected. The owner connects one in Settings.')
  const url = decryptDatabaseUrl(ownerId, settings.databaseUrl)
  if (url === null)
    throw new AppError(
      'invalid_request',
      'The database has to be connected again in Settings: its stored URL can no longer be decrypted.',
    )
  signal.throwIfAborted()
  const client = await openOwnerDatabase(parseDatabaseUrl(url))
  const abort = () => destroyConnection(client)
  signal.addEventListener('abort', abort, { once: true })
  try {
    await refuseGatewayDatabase(client)
    return await work(client)
  } finally {
    signal.removeEventListener('abort', abort)
    await closeOwnerDatabase(client)
  }
}
