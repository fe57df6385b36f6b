import { asAudited } from '../accounts/audit'
import { inTransaction, prisma, type Transaction } from '../db'
import { secretRow } from '../keys/create'
import { revokeKey } from '../keys/revoke'
import { hashSecret, isWellFormedSecret, makeSecret } from '../keys/secret'

/** How long an access token works, milliseconds. */
const ACCESS_TOKEN_MS = 3_600_000
/** How long a refresh token works that nobody uses, milliseconds. */
const REFRESH_TOKEN_MS = 90 * 86_400_000
const PREFIX = 'tgr_'

/** What a client gets: a secret of its key for an hour, and what renews it once. */
export type IssuedTokens = {
  accessToken: string
  accessTokenExpiresAt: Date
  refreshToken: string
}

const hashOf = (token: string) => new Uint8Array(hashSecret(token))

/**
 * Gives a client's key a new secret for an hour, and a new refresh token. Of its earlier secrets
 * the newest still works as long as it would, for requests on their way.
 */
export async function issueTokens(tx: Transaction, key: { id: number; expiresAt: Date | null }): Promise<IssuedTokens> {
  const tokens = {
    accessToken: makeSecret(),
    accessTokenExpiresAt: new Date(Math.min(Date.now() + ACCESS_TOKEN_MS, key.expiresAt?.getTime() ?? Infinity)),
    refreshToken: makeSecret(PREFIX),
  }
  const newest = await tx.keySecret.findFirst({
    where: { keyId: key.id, expiresAt: { not: null } },
    orderBy: { createdAt: 'desc' },
  })
  await tx.keySecret.deleteMany({ where: { keyId: key.id, ...(newest && { hash: { not: newest.hash } }) } })
  await tx.keySecret.create({
    data: {
      ...secretRow(tokens.accessToken),
      keyId: key.id,
      expiresAt: tokens.accessTokenExpiresAt,
      createdAt: new Date(),
    },
  })
  await tx.oAuthRefreshToken.create({
    data: { hash: hashOf(tokens.refreshToken), keyId: key.id, expiresAt: new Date(Date.now() + REFRESH_TOKEN_MS) },
  })
  return tokens
}

/** A refresh token with the key it belongs to, used or not; null for one that never was. */
export async function findRefreshToken(token: string) {
  if (!isWellFormedSecret(token, PREFIX)) return null
  return prisma().oAuthRefreshToken.findUnique({
    where: { hash: hashOf(token) },
    include: { key: { include: { client: true } } },
  })
}

export type RefreshToken = NonNullable<Awaited<ReturnType<typeof findRefreshToken>>>

/** Uses a refresh token up for new tokens. Null when it was used before: its key is revoked. */
export async function renewTokens(row: RefreshToken): Promise<IssuedTokens | null> {
  const issued = await inTransaction(async (tx) => {
    const { count } = await tx.oAuthRefreshToken.updateMany({
      where: { hash: row.hash, usedAt: null },
      data: { usedAt: new Date() },
    })
    return count === 1 ? issueTokens(tx, row.key) : null
  })
  if (!issued) await revokeReused(row)
  return issued
}

/**
 * Revokes the key of a refresh token that was sent a second time: one of the two senders has stolen
 * it (RFC 9700, 4.14.2).
 */
export async function revokeReused({ key }: RefreshToken): Promise<void> {
  if (key.revokedAt) return
  const line = {
    ownerId: key.ownerId,
    action: 'key_revoked',
    actor: { kind: 'system', email: null },
    subject: key.name,
    detail: { reason: 'a refresh token was used twice' },
  } as const
  await asAudited(line, () => revokeKey(key.ownerId, key.id))
}
