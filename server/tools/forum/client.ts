import { AppError } from '../../errors'
import { lazy } from '../../kit/lazy'
import { rejectOnAbort } from '../../kit/reject-on-abort'
import { callProvider, headerOf, type ProviderContext, type ProviderResponse, toQueryString } from '../provider'
import { type ForumSubject, forumError, forumRetryDelayS } from './errors'
import { forumSettings } from './settings'
import { createTokenSource, FORUM_PROVIDER, type TokenSource } from './token'

/** True when the operator has registered an app with the provider. */
export const isForumConfigured = (): boolean =>
  Boolean(forumSettings().REDDIT_CLIENT_ID && forumSettings().REDDIT_CLIENT_SECRET)

/**
 * GET of the Reddit API, https://www.reddit.com/dev/api/, with an application-only token;
 * `raw_json` keeps texts free of entities. After a 401 it tries once more with a new token.
 * Redirects are not followed: they mean "no such community", and would carry the token to another
 * host. Returns the body of a 200. Throws `upstream_error`.
 */
export async function fetchForum(
  context: ProviderContext,
  path: string,
  query: Record<string, string | undefined>,
  subject: ForumSubject,
): Promise<string> {
  const url = `${forumSettings().REDDIT_BASE_URL}${path}?${toQueryString({ ...query, raw_json: '1' })}`
  let response = await getWithToken(context, url)
  if (response.status === 401) response = await getWithToken(context, url)
  if (response.status !== 200) throw forumError(response, subject)
  return response.text
}

async function getWithToken(context: ProviderContext, url: string): Promise<ProviderResponse> {
  const tokens = tokenSource()
  const token = await rejectOnAbort(tokens.get(), context.signal)
  const response = await callProvider(context, {
    provider: FORUM_PROVIDER,
    url,
    headers: { authorization: `bearer ${token}`, accept: 'application/json', 'user-agent': userAgent() },
    retryDelayS: forumRetryDelayS,
  })
  if (response.status === 401) tokens.drop(token)
  return response
}

/**
 * The address that a share link (`/r/…/s/…`) leads to. The request goes to the provider's own site,
 * whatever host the link named, and without the token; the address itself is not fetched. Throws
 * `upstream_error`.
 */
export async function resolveShareLink(context: ProviderContext, path: string): Promise<string> {
  const response = await callProvider(context, {
    provider: FORUM_PROVIDER,
    url: `${authUrl()}${path}`,
    headers: { 'user-agent': userAgent() },
    maxBytes: 1024 * 1024,
  })
  const { status } = response
  const location = headerOf(response, 'location')
  if (status >= 300 && status < 400 && location !== '') return location
  if (status === 429 || status >= 500) throw forumError(response, { kind: 'post', name: path })
  throw new AppError(
    'upstream_error',
    `${FORUM_PROVIDER} does not know this share link. Open it in a browser, and pass the address it leads to.`,
    { reason: 'not_found' },
  )
}

/** The setting may include the path of its only endpoint. */
const authUrl = () => forumSettings().REDDIT_AUTH_URL.replace(/\/api\/v1\/access_token$/, '')

/**
 * Reddit refuses agents without platform, app and version:
 * https://github.com/reddit-archive/reddit/wiki/API
 */
const userAgent = () => `server:tollgate.${forumSettings().REDDIT_CLIENT_ID}:0.1.0 (self-hosted API gateway)`

const tokenSource = lazy<TokenSource>(() =>
  createTokenSource({
    authUrl: authUrl(),
    clientId: forumSettings().REDDIT_CLIENT_ID ?? '',
    clientSecret: forumSettings().REDDIT_CLIENT_SECRET ?? '',
    userAgent: userAgent(),
  }),
)
