import OAuth2Server from '@node-oauth/oauth2-server'
import { countOAuthRequest } from '../accounts/rate-limit'
import { inTransaction } from '../db'
import { AppError } from '../errors'
import { createKey } from '../keys/create'
import type { KnownNames, NewKey } from '../keys/shape'
import { findOAuthClient } from './client'
import { clientDocumentUrl } from './client-document'
import { attachKey, consumeCode, findCode, markReplayed } from './code'
import { checkRepeats, fieldOf, requireField } from './fields'
import { findForeignResource } from './issuer'
import { findRefreshToken, type IssuedTokens, issueTokens, renewTokens, revokeReused } from './refresh-token'
import { oauthRefusal } from './refusal'
import type { OAuthErrorCode, OAuthFields, TokenResponse } from './shape'

type Model = OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel
type Code = NonNullable<Awaited<ReturnType<typeof findCode>>>

/** What each grant needs beside its name and the client. */
const GRANT_FIELDS: Record<string, readonly string[]> = {
  authorization_code: ['code', 'redirect_uri', 'code_verifier'],
  refresh_token: ['refresh_token'],
}
const GRANTS = Object.keys(GRANT_FIELDS)

/** What the library passes from finding a code or token to issuing new ones. */
type Issuer = { issue: () => Promise<IssuedTokens | null> }

/** The scopes of a key, as OAuth writes them. */
const scopesOf = ({ tools = 'all', llm, agent }: Pick<NewKey, 'tools' | 'llm' | 'agent'>): string[] => [
  ...(tools === 'all' || tools.length > 0 ? ['tools'] : []),
  ...(llm ? ['llm'] : []),
  ...(agent ? ['agent'] : []),
]

/** A code as the library has it. */
const codeToModel = (code: string, row: Code, known: KnownNames): OAuth2Server.AuthorizationCode => ({
  authorizationCode: code,
  expiresAt: row.expiresAt,
  redirectUri: row.redirectUri,
  scope: scopesOf(row.settings as NewKey),
  client: { id: row.clientId, grants: GRANTS },
  user: { issue: () => createAllowedKey(code, row, known) } satisfies Issuer,
  codeChallenge: row.challenge,
  codeChallengeMethod: 'S256',
})

/** A refresh token as the library has it; null where its key no longer works. */
async function refreshToModel(token: string): Promise<OAuth2Server.RefreshToken | null> {
  const row = await findRefreshToken(token)
  if (!row) return null
  if (row.usedAt) await revokeReused(row)
  const { key } = row
  const hasEnded = key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= new Date())
  if (row.usedAt || hasEnded || !key.client) return null
  return {
    refreshToken: token,
    refreshTokenExpiresAt: row.expiresAt,
    scope: scopesOf({ ...key, tools: key.allTools ? 'all' : key.tools }),
    client: { id: key.client.clientId, grants: GRANTS },
    user: { issue: () => renewTokens(row) } satisfies Issuer,
  }
}

/** Creates the key that an owner allowed. Its secrets are the access tokens. */
async function createAllowedKey(code: string, row: Code, known: KnownNames): Promise<IssuedTokens | null> {
  const { ownerId, personId, clientId, clientName: name, redirectUri } = row
  const { id, expiresAt } = await createKey({ ownerId, personId }, row.settings as NewKey, known)
  const tokens = await inTransaction(async (tx) => {
    await tx.keyClient.create({ data: { keyId: id, clientId, name, redirectUri } })
    return issueTokens(tx, { id, expiresAt: expiresAt === null ? null : new Date(expiresAt) })
  })
  return (await attachKey(code, ownerId, id)) ? tokens : null
}

const notUsed = () => Promise.reject(new Error('the authorization handler of the library is not used'))

/**
 * Our tables as the library's token handler wants them. For a code it calls getClient,
 * getAuthorizationCode, revokeAuthorizationCode, compares verifier and redirect URI, then calls
 * saveToken; for a refresh token getClient, getRefreshToken, compares the client, and the same.
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
    return row && row.usedAt === null && codeToModel(code, row, known)
  },
  revokeAuthorizationCode: async ({ authorizationCode }) => {
    const isFirst = await consumeCode(authorizationCode)
    if (!isFirst) await markReplayed(authorizationCode)
    return isFirst
  },
  getRefreshToken: refreshToModel,
  // A token is used up in the transaction that issues the next.
  revokeToken: async () => true,
  saveToken: async ({ scope }, client, user) => {
    const tokens = await (user as Issuer).issue()
    if (!tokens) throw new OAuth2Server.InvalidGrantError('Invalid grant: this code or token was used twice')
    return { ...tokens, scope, client, user }
  },
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
 * Exchanges an authorization code for the key that its owner allowed (RFC 6749, 4.1.3), or a
 * refresh token for a new secret of that key (section 6). Throws an OAuth refusal, or
 * `rate_limited`.
 */
export async function exchangeGrant(fields: OAuthFields, headers: Headers, known: KnownNames): Promise<TokenResponse> {
  await countOAuthRequest(headers, 'token')
  checkRepeats(fields)
  const grant = requireField(fields, 'grant_type')
  const needed = Object.hasOwn(GRANT_FIELDS, grant) ? GRANT_FIELDS[grant] : undefined
  if (!needed) throw oauthRefusal('unsupported_grant_type', `The grants here are ${GRANTS.join(' and ')}.`)
  const foreign = findForeignResource(fields)
  if (foreign !== null) throw oauthRefusal('invalid_target', foreign)
  const body = Object.fromEntries(['grant_type', 'client_id', ...needed].map((name) => [name, fieldOf(fields, name)]))
  const server = new OAuth2Server({
    model: modelFor(known),
    requireClientAuthentication: { authorization_code: false, refresh_token: false },
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
