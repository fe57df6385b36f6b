import { z } from 'zod'
import { AppError } from '../../errors'
import { callProvider, parseProviderJson } from '../provider'

export const FORUM_PROVIDER = 'The forum provider'

export type ForumApp = { authUrl: string; clientId: string; clientSecret: string; userAgent: string }

/** The endpoint may answer 200 with `{error, error_description}` and no token. */
const TokenAnswer = z.union([
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
/** Replaced this long before it ends, so that none ends under way. */
const MARGIN_S = 60

/**
 * Application-only tokens, https://github.com/reddit-archive/reddit/wiki/OAuth2#application-only-oauth: Basic auth with
 * the app's id and secret, no refresh token. `get` throws `upstream_error`; nothing of the app's secret is in it.
 */
export function createTokenSource(app: ForumApp): TokenSource {
  let current: { token: string; until: number } | undefined
  let pending: Promise<string> | undefined

  async function renew(): Promise<string> {
    const { token, expiresInS } = await fetchToken(app)
    current = { token, until: Date.now() + Math.max(expiresInS - MARGIN_S, 1) * 1000 }
    return token
  }
  return {
    get: async () => {
      if (current && current.until > Date.now()) return current.token
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
  // A signal of its own: whoever asked first may leave while others wait for the same token. It is not the call that is
  // paid for either, so nobody is told that the vendor took a request.
  const context = { signal: AbortSignal.timeout(TIMEOUT_MS), accepted: () => {}, spent: () => {}, ownerId: 0 }
  const reply = await callProvider(context, {
    vendor: FORUM_PROVIDER,
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
  })
  if (reply.status === 429 || reply.status >= 500) {
    throw new AppError(
      'upstream_error',
      `${FORUM_PROVIDER} gives out no access now (HTTP ${reply.status}). Try again later.`,
    )
  }
  if (reply.status !== 200) throw refused(`HTTP ${reply.status}`)
  const answer = parseProviderJson(FORUM_PROVIDER, reply.text, TokenAnswer)
  if ('error' in answer) throw refused(String(answer.error))
  return { token: answer.access_token, expiresInS: answer.expires_in }
}

/** The vendor's word is one of OAuth's error names or a status: short, and none of ours. */
const refused = (word: string) =>
  new AppError(
    'upstream_error',
    `${FORUM_PROVIDER} refused this gateway's credentials (${word.slice(0, 40)}). Its operator has to look into that.`,
  )
