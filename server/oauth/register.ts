import { countOAuthRequest } from '../accounts/rate-limit'
import { executeStatement, prisma } from '../db'
import { uuidv7 } from '../kit/id'
import { statement } from '../kit/statement'
import { cleanClientName } from './client-name'
import { parseRedirectUri } from './redirect-uri'
import { oauthRefusal } from './refusal'
import { ClientMetadata, type RegisteredClient } from './shape'

/** Registrations that no owner has allowed yet: beyond this many, the oldest are deleted. */
const MAX_UNUSED = 10_000

const DELETE_OLDEST = statement({
  name: 'oauth_clients_bound',
  sql: `DELETE FROM oauth_client WHERE id IN (
    SELECT id FROM oauth_client WHERE allowed_at IS NULL ORDER BY created_at DESC OFFSET ${MAX_UNUSED} FOR UPDATE SKIP LOCKED)`,
  params: [],
})

/** Throws for metadata that names no grant we have, or an invalid redirect URI. */
export function checkClientMetadata(input: unknown): ClientMetadata {
  const parsed = ClientMetadata.safeParse(input)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw oauthRefusal('invalid_client_metadata', `${issue?.path.join('.')}: ${issue?.message}`)
  }
  const { redirect_uris, grant_types, response_types } = parsed.data
  const wrong = redirect_uris.find((uri) => parseRedirectUri(uri) === null)
  if (wrong !== undefined) {
    throw oauthRefusal(
      'invalid_redirect_uri',
      `${wrong.slice(0, 200)} cannot be registered. Use https, http on a loopback address, or an application's scheme such as com.example.app, without a fragment.`,
    )
  }
  if (grant_types && !grant_types.includes('authorization_code')) {
    throw oauthRefusal('invalid_client_metadata', 'grant_types must have authorization_code.')
  }
  if (response_types && !response_types.includes('code')) {
    throw oauthRefusal('invalid_client_metadata', 'response_types: the only response type here is code.')
  }
  return parsed.data
}

/**
 * Registers a public client (RFC 7591). What it may not have, such as a secret, is missing from
 * the result. Throws an OAuth refusal, or `rate_limited`.
 */
export async function registerClient(input: unknown, headers: Headers): Promise<RegisteredClient> {
  await countOAuthRequest(headers, 'register')
  const { client_name, redirect_uris } = checkClientMetadata(input)
  const name = cleanClientName(client_name, parseRedirectUri(redirect_uris[0] ?? '')?.host ?? 'Application')
  const { id, createdAt } = await prisma().oAuthClient.create({
    data: { id: uuidv7(), name, redirectUris: [...new Set(redirect_uris)] },
  })
  await executeStatement(DELETE_OLDEST, [])
  return {
    client_id: id,
    client_id_issued_at: Math.floor(createdAt.getTime() / 1_000),
    client_name: name,
    redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}
