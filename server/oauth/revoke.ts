import { countOAuthRequest } from '../accounts/rate-limit'
import { prisma } from '../db'
import { revokeKey } from '../keys/revoke'
import { hashSecret, isWellFormedSecret } from '../keys/secret'
import { checkRepeats, requireField } from './fields'
import { findRefreshToken } from './refresh-token'
import type { OAuthFields } from './shape'

const findAccessToken = async (token: string) =>
  isWellFormedSecret(token)
    ? prisma().keySecret.findUnique({
        where: { hash: new Uint8Array(hashSecret(token)) },
        include: { key: { include: { client: true } } },
      })
    : null

/**
 * Revokes the key that a client got, by its access or its refresh token (RFC 7009). Does nothing
 * for any other value, also for a key that its owner made in the dashboard. Throws
 * `invalid_request`, `rate_limited`.
 */
export async function revokeToken(fields: OAuthFields, headers: Headers): Promise<void> {
  await countOAuthRequest(headers, 'token')
  checkRepeats(fields)
  const [token, clientId] = [requireField(fields, 'token'), requireField(fields, 'client_id')]
  const found = (await findRefreshToken(token)) ?? (await findAccessToken(token))
  if (found?.key.client?.clientId === clientId) await revokeKey(found.key.ownerId, found.keyId)
}
