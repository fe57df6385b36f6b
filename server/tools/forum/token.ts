import { z } from 'zod'
import { AppError } from '../../errors'
import { callProvider, parseProviderJson } from '../provider'
import { providerError } from '../provider-errors'

export const FORUM_PROVIDER = 'The forum provider'

export type ForumApp = { authUrl: string; clientId: string; clientSecret: string; userAgent: string }

/** A 200 may also hold `{error, error_description}` and no token. */
const TokenResponse = z.union([
  z.object({ access_token: z.string().min(1), expires_in: z.number().positive().catch(3600) }),
  z.object({ error: z.union([z.string(), z.number()]) }),
])

export type TokenSource = {
  /** A token that should still be good; concurrent callers share one request for it. */
  get: () => Promise<string>
  /** Forgets this token, unless another has taken its place. */
  drop: (token: string) => void
}

const TIMEOUT_MS = 15_000
/** A token is replaced this long before it expires, so that none expires during a call. */
const MARGIN_S = 60

/**
 * Application-only tokens: Basic auth with the app's id and secret, no refresh token. `get` throws
 * `upstream_error`,
 * without the secret. https://github.com/reddit-archive/reddit/wiki/OAuth2#application-only-oauth
 */
export function createTokenSource(app: ForumApp): TokenSource {
  let current: { token: string; expiresAt: number } | undefined
  let pending: Promise<string> | undefined

  async function renew(): Promise<string> {
    const { token, expiresInS } = await fetchToken(app)
    current = { token, expiresAt: Date.now() + Math.max(expiresInS - MARGIN_S, 1) * 1000 }
    return token
  }
  return {
    get: async () => {
      if (current && current.expiresAt > Date.now()) return current.token
      pending ??= renew().finally(() => {
        pending = undefined
      })
      return pending
    },
    drop: (token) => {
      if (current?.token === token) current = undefined
    },
  }
}

async function fetchToken({ authUrl, clientId, clientSecret, userAgent }: ForumApp) {
  // Concurrent callers share the token, so it does not end with the signal of the first. Nor is it
  // the call that is charged, so no `onSent`.
  const response = await callProvider(
    { signal: AbortSignal.timeout(TIMEOUT_MS) },
    {
      provider: FORUM_PROVIDER,
      url: `${authUrl}/api/v1/access_token`,
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        'user-agent': userAgent,
      },
      body: 'grant_type=client_credentials',
      maxBytes: 64 * 1024,
    },
  )
  const { status, text } = response
  if (status === 429 || status >= 500) throw providerError(FORUM_PROVIDER, response, { failure: 'outage' })
  if (status !== 200) throw credentialsRefused(`HTTP ${status}`)
  const body = parseProviderJson(FORUM_PROVIDER, text, TokenResponse)
  if ('error' in body) throw credentialsRefused(String(body.error))
  return { token: body.access_token, expiresInS: body.expires_in }
}

/**
 * `reason` is a status or one of OAuth's error codes, neither of which holds anything of the app's.
 */
const credentialsRefused = (reason: string) =>
  new AppError(
    'upstream_error',
    `${FORUM_PROVIDER} refused the credentials of this gateway (${reason.slice(0, 40)}). Contact the operator.`,
    { reason: 'provider_access' },
  )
