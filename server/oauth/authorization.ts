import { findOAuthClient, type OAuthClientInfo } from './client'
import { clientDocumentUrl } from './client-document'
import { checkRepeats, fieldOf, requireField } from './fields'
import { findForeignResource, oauthIssuer } from './issuer'
import { isRegisteredRedirect, parseRedirectUri, redirectWith } from './redirect-uri'
import { oauthRefusal } from './refusal'
import type { OAuthErrorCode, OAuthFields } from './shape'

/** What a client asks an owner for, checked. */
export type AuthorizationRequest = {
  client: OAuthClientInfo
  redirectUri: string
  state: string | undefined
  challenge: string
  scopes: string[]
}

type Fault = { code: OAuthErrorCode; message: string }

/** What is wrong with a request, whichever client sent it; null: nothing. */
function findFault(fields: OAuthFields): Fault | null {
  const fault = (code: OAuthErrorCode, message: string) => ({ code, message })
  if (fieldOf(fields, 'response_type') !== 'code') {
    return fault('unsupported_response_type', 'response_type must be code.')
  }
  if ((fieldOf(fields, 'response_mode') ?? 'query') !== 'query') {
    return fault('invalid_request', 'response_mode must be query.')
  }
  if (!/^[\w-]{43}$/.test(fieldOf(fields, 'code_challenge') ?? '')) {
    return fault('invalid_request', 'PKCE is required: code_challenge must be a SHA-256 in base64url.')
  }
  if (fieldOf(fields, 'code_challenge_method') !== 'S256') {
    return fault('invalid_request', 'PKCE is required: code_challenge_method must be S256.')
  }
  const foreign = findForeignResource(fields)
  return foreign === null ? null : fault('invalid_target', foreign)
}

/** Where the browser goes with an error. */
export const errorRedirect = (
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  error: OAuthErrorCode | 'access_denied',
  description: string,
): string => redirectWith(redirectUri, { error, error_description: description, state, iss: oauthIssuer() })

/**
 * Whether a browser is sent to a redirect URI before its user was asked. Anyone can register a
 * website, so this server would otherwise redirect to any address (RFC 9700, 4.11.2).
 */
const mayRedirectUnasked = (client: OAuthClientInfo, redirectUri: string): boolean =>
  client.isAllowed || parseRedirectUri(redirectUri)?.kind === 'loopback'

/**
 * Checks an authorization request: the client and its redirect URI first, then the rest. A refusal
 * has `redirectTo` where the browser is to take it to the client.
 */
export async function readAuthorization(fields: OAuthFields): Promise<AuthorizationRequest> {
  checkRepeats(fields)
  const client = await findOAuthClient(requireField(fields, 'client_id'))
  const redirectUri = requireField(fields, 'redirect_uri')
  if (!isRegisteredRedirect(redirectUri, client.redirectUris)) {
    throw oauthRefusal('invalid_request', 'The redirect_uri is not one that this client registered.')
  }
  const state = fieldOf(fields, 'state')
  const fault = findFault(fields)
  if (fault) {
    const { code, message } = fault
    const redirectTo = errorRedirect({ redirectUri, state }, code, message)
    throw oauthRefusal(code, message, mayRedirectUnasked(client, redirectUri) ? redirectTo : undefined)
  }
  const scopes = (fieldOf(fields, 'scope') ?? '').split(' ').filter(Boolean)
  return { client, redirectUri, state, challenge: requireField(fields, 'code_challenge'), scopes }
}

/**
 * The same check for a visitor who may not be signed in. A metadata document is not fetched for
 * strangers: its client is checked on the consent page.
 */
export async function checkAuthorization(fields: OAuthFields): Promise<void> {
  checkRepeats(fields)
  if (clientDocumentUrl(requireField(fields, 'client_id')) === null) return void (await readAuthorization(fields))
  const fault = findFault(fields)
  if (fault) throw oauthRefusal(fault.code, fault.message)
}
