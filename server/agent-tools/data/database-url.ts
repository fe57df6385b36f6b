import { prisma } from '../../db'
import { env } from '../../env'
import { AppError } from '../../errors'
import { decryptText, encryptText } from '../../kit/encryption'

/** Binds an encrypted URL to its owner. */
const contextFor = (ownerId: number) => `database of owner ${ownerId}`

/** Throws `invalid_request` where the operator has set no key. */
function encryptionKey(): string {
  const { ENCRYPTION_KEY } = env()
  if (ENCRYPTION_KEY) return ENCRYPTION_KEY
  throw new AppError('invalid_request', 'Databases cannot be connected here: the operator has not set ENCRYPTION_KEY.')
}

/** Whether owners can connect a database here. */
export const canConnectDatabases = (): boolean => env().ENCRYPTION_KEY !== undefined

/**
 * The URL of an owner's database as it is stored. Throws `invalid_request` without ENCRYPTION_KEY.
 */
export const encryptDatabaseUrl = (ownerId: number, url: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(encryptText(url, encryptionKey(), contextFor(ownerId)))

/**
 * The URL that was stored for an owner, encrypted with the key or with the one before. Null when
 * neither decrypts it. Throws `invalid_request` without ENCRYPTION_KEY.
 */
export function decryptDatabaseUrl(ownerId: number, stored: Uint8Array): string | null {
  const keys = [encryptionKey(), env().PREVIOUS_ENCRYPTION_KEY].filter((key) => key !== undefined)
  for (const key of keys) {
    const url = decryptText(stored, key, contextFor(ownerId))
    if (url !== null) return url
  }
  return null
}

/** Rows that are read and written at a time. */
const PAGE = 200

export type Reencryption = { encrypted: number; undecryptable: number[] }

/**
 * Encrypts every stored URL with ENCRYPTION_KEY, so that PREVIOUS_ENCRYPTION_KEY is no longer
 * needed. Returns how many, and the ids of owners whose URL no key decrypts, which stay as they
 * are. A URL that its owner changes meanwhile is left alone: it is encrypted with the new key.
 */
export async function reencryptDatabaseUrls(): Promise<Reencryption> {
  const done: Reencryption = { encrypted: 0, undecryptable: [] }
  for (let after = 0; ; ) {
    const rows = await prisma().agentSettings.findMany({
      where: { ownerId: { gt: after }, databaseUrl: { not: null } },
      select: { ownerId: true, databaseUrl: true },
      orderBy: { ownerId: 'asc' },
      take: PAGE,
    })
    for (const { ownerId, databaseUrl } of rows) {
      const url = databaseUrl && decryptDatabaseUrl(ownerId, databaseUrl)
      if (!url) {
        done.undecryptable.push(ownerId)
        continue
      }
      const { count } = await prisma().agentSettings.updateMany({
        where: { ownerId, databaseUrl },
        data: { databaseUrl: encryptDatabaseUrl(ownerId, url) },
      })
      done.encrypted += count
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return done
    after = last.ownerId
  }
}
