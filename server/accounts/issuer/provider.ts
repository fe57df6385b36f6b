import { type AuthConfig, customFetch } from '@auth/core'
import { env } from '../../env'
import type { IdentityProviderChoice } from '../shape'
import { readVisitor } from './claims'

/** How long the issuer may take for one answer, milliseconds. */
const TIMEOUT_MS = 10_000

/** The issuer as the sign-in page offers it; null where none is set up. */
export const issuerChoice = (): IdentityProviderChoice | null =>
  env().AUTH_OIDC_ISSUER ? { id: 'oidc', name: env().AUTH_OIDC_NAME } : null

const fetchInTime: typeof fetch = (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })

/**
 * The issuer to Auth.js: with PKCE, state and nonce; its endpoints are those of its discovery
 * document. Claims come from the ID token and the userinfo endpoint, as issuers differ in where
 * they put them.
 */
export function issuerProvider(): AuthConfig['providers'] {
  const { AUTH_OIDC_ISSUER, AUTH_OIDC_ID, AUTH_OIDC_SECRET, AUTH_OIDC_NAME, AUTH_OIDC_SCOPE } = env()
  if (!AUTH_OIDC_ISSUER) return []
  return [
    {
      id: 'oidc',
      name: AUTH_OIDC_NAME,
      type: 'oidc',
      issuer: AUTH_OIDC_ISSUER,
      clientId: AUTH_OIDC_ID,
      clientSecret: AUTH_OIDC_SECRET,
      authorization: { params: { scope: AUTH_OIDC_SCOPE } },
      checks: ['pkce', 'state', 'nonce'],
      idToken: false,
      profile: (userinfo, { id_token = '' }) => {
        const { subject, email, name } = readVisitor(id_token, userinfo)
        return { id: subject, email, name }
      },
      [customFetch]: fetchInTime,
    },
  ]
}
