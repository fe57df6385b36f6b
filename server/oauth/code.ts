import { createHash, randomBytes } from 'node:crypto'
import { prisma, type Transaction } from '../db'
import { revokeKey } from '../keys/revoke'

/** How long a client has to exchange a code, milliseconds. */
const LIFETIME_MS = 60_000

const hashCode = (code: string) => new Uint8Array(createHash('sha256').update(code).digest())

export type NewOAuthCode = {
  ownerId: number
  personId: number | null
  clientId: string
  clientName: string
  redirectUri: string
  challenge: string
  /** The settings of the key to create, as JSON. */
  settings: object
}

/** Issues an authorization code: 256 random bits, of which only the hash is stored. */
export async function issueCode(tx: Transaction, grant: NewOAuthCode): Promise<string> {
  const code = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + LIFETIME_MS)
  await tx.oAuthCode.create({ data: { ...grant, hash: hashCode(code), expiresAt } })
  return code
}

export const findCode = (code: string) => prisma().oAuthCode.findUnique({ where: { hash: hashCode(code) } })

/** Uses up a code. False when it was used before. */
export async function consumeCode(code: string): Promise<boolean> {
  const { count } = await prisma().oAuthCode.updateMany({
    where: { hash: hashCode(code), usedAt: null },
    data: { usedAt: new Date() },
  })
  return count === 1
}

/**
 * Connects the key that was made from a code. False when the code was replayed meanwhile: the key
 * is then revoked.
 */
export async function attachKey(code: string, ownerId: number, keyId: number): Promise<boolean> {
  const { count } = await prisma().oAuthCode.updateMany({
    where: { hash: hashCode(code), replayedAt: null },
    data: { keyId },
  })
  if (count === 0) await revokeKey(ownerId, keyId)
  return count === 1
}

/**
 * Marks a code that was sent a second time, and revokes the key made from it: one of the two
 * senders has stolen it (RFC 6749, 4.1.2). Where the first is not done yet, `attachKey` revokes.
 */
export async function markReplayed(code: string): Promise<void> {
  const { ownerId, keyId } = await prisma().oAuthCode.update({
    where: { hash: hashCode(code) },
    data: { replayedAt: new Date() },
  })
  if (keyId !== null) await revokeKey(ownerId, keyId)
}
