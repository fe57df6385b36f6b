import { countOAuthRequest } from '../accounts/rate-limit'
import { prisma } from '../db'
import { revokeKey } from '../keys/revoke'
import { hashSecret, isWellFormedSecret } from '../keys/secret'
import { checkRepeats, requireField } from './fields'
import type { OAuthFields } from './shape'

/**
 * Revokes the key that a client got (RFC 7009). Does nothing for any other value, also for a key
 * that its owner made in the dashboard. Throws `invalid_request`, `rate_limited`.
 */
export async function revokeToken(fields: OAuthFields, headers: Headers): Promise<void> {
  await countOAuthRequest(headers, 'token')
  checkRepeats(fields)
  const [token, clientId] = [requireField(fields, 'token'), requireField(fields, 'client_id')]
  if (!isWellFormedSecret(token)) return
  const secret = await prisma().keySecret.findUnique({
    where: { hash: new Uint8Array(hashSecret(token)) },
    include: { key: { include: { client: true } } },
  })
  if (secret?.key.client?.clientId === clientId) await revokeKey(secret.key.ownerId, secret.keyId)
}
