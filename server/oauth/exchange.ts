import OAuth2Server from '@node-oauth/oauth2-server'
import { countOAuthRequest } from '../accounts/rate-limit'
import { prisma } from '../db'
import { AppError } from '../errors'
import { createKey } from '../keys/create'
import type { KnownNames, NewKey } from '../keys/shape'
import { findOAuthClient } from './client'
import { clientDocumentUrl } from './client-document'
import { attachKey, consumeCode, findCode, markReplayed } from './code'
import { checkRepeats, fieldOf, requireField } from './fields'
import { findForeignResource } from './issuer'
import { oauthRefusal } from './refusal'
import type { OAuthErrorCode, OAuthFields, TokenResponse } from './shape'

type Model = OAuth2Server.AuthorizationCodeModel
type Code = NonNullable<Awaited<ReturnType<typeof findCode>>>

const GRANTS = ['authorization_code']

/** The scopes of a key, as OAuth writes them. */
const scopesOf = ({ tools = 'all', llm, agent }: NewKey): string[] => [
  ...(tools === 'all' || tools.length > 0 ? ['tools'] : []),
  ...(llm ? ['llm'] : []),
  ...(agent ? ['agent'] : []),
]

/** A code as the library has it. */
const toModel = (code: string, row: Code): OAuth2Server.AuthorizationCode => ({
  authorizationCode: code,
  expiresAt: row.expiresAt,
  redirectUri: row.redirectUri,
  scope: scopesOf(row.settings as NewKey),
  client: { id: row.clientId, grants: GRANTS },
  user: row,
  codeChallenge: row.challenge,
  codeChallengeMethod: 'S256',
})

/** Creates the key that an owner allowed. Its secret is the access token. */
async function createAllowedKey(code: string, row: Code, known: KnownNames) {
  const { ownerId, clientId, clientName: name, redirectUri } = row
  const key = await createKey(ownerId, row.settings as NewKey, known)
  await prisma().keyClient.create({ data: { keyId: key.id, clientId, name, redirectUri } })
  if (!(await attachKey(code, ownerId, key.id))) return null
  return { accessToken: key.key, ...(key.expiresAt !== null && { accessTokenExpiresAt: new Date(key.expiresAt) }) }
}

const notUsed = () => Promise.reject(new Error('the authorization handler of the library is not used'))

/**
 * Our tables as the library's token handler wants them. It calls getClient, getAuthorizationCode,
 * revokeAuthorizationCode, then compares verifier and redirect URI, then calls saveToken.
 */
const modelFor = (known: KnownNames): Model => ({
  // A metadata document was read on the consent page; the code is bound to its URL.
  getClient: async (id) =>
    (clientDocumentUrl(id)
      ? { id, grants: GRANTS }
      : { ...(await findOAuthClient(id)), grants: GRANTS }) as OAuth2Server.Client,
  getAuthorizationCode: async (code) => {
    const row = await findCode(code)
    if (row?.usedAt) await markReplayed(code)
    return row && row.usedAt === null && toModel(code, row)
  },
  revokeAuthorizationCode: async ({ authorizationCode }) => {
    const isFirst = await consumeCode(authorizationCode)
    if (!isFirst) await markReplayed(authorizationCode)
    return isFirst
  },
  saveToken: async ({ scope, authorizationCode }, client, user) => {
    const made = await createAllowedKey(String(authorizationCode), user as Code, known)
    if (!made) throw new OAuth2Server.InvalidGrantError('Invalid grant: authorization code was used twice')
    return { ...made, scope, client, user }
  },
  // A key lives as long as its owner chose, so there is nothing to refresh.
  generateRefreshToken: async () => '',
  getAccessToken: notUsed,
  saveAuthorizationCode: notUsed,
})

/** What the library threw, as our error; ours, thrown inside of it, is itself. */
function toRefusal(error: unknown): unknown {
  if (!(error instanceof OAuth2Server.OAuthError)) return error
  const { inner } = error as { inner?: unknown }
  if (inner instanceof AppError || error.code >= 500) return inner ?? error
  return oauthRefusal(error.name as OAuthErrorCode, error.message)
}

/**
 * Exchanges an authorization code for the key that its owner allowed (RFC 6749, 4.1.3). Throws an
 * OAuth refusal, or `rate_limited`.
 */
export async function exchangeCode(fields: OAuthFields, headers: Headers, known: KnownNames): Promise<TokenResponse> {
  await countOAuthRequest(headers, 'token')
  checkRepeats(fields)
  if (requireField(fields, 'grant_type') !== 'authorization_code') {
    throw oauthRefusal('unsupported_grant_type', 'The only grant here is authorization_code.')
  }
  const foreign = findForeignResource(fields)
  if (foreign !== null) throw oauthRefusal('invalid_target', foreign)
  const names = ['grant_type', 'code', 'client_id', 'redirect_uri', 'code_verifier']
  const body = Object.fromEntries(names.map((name) => [name, fieldOf(fields, name)]))
  const server = new OAuth2Server({
    model: modelFor(known),
    requireClientAuthentication: { authorization_code: false },
  })
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' }
  const response = new OAuth2Server.Response({})
  try {
    await server.token(new OAuth2Server.Request({ headers: form, method: 'POST', query: {}, body }), response)
  } catch (error) {
    throw toRefusal(error)
  }
  return response.body
}
