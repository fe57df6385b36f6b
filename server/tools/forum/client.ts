import { AppError } from '../../errors'
import { lazy } from '../../kit/lazy'
import { rejectOnAbort } from '../../kit/reject-on-abort'
import type { ToolContext } from '../define'
import { callProvider, type ProviderResponse } from '../provider'
import { type ForumSubject, forumError, forumRetryDelayS } from './errors'
import { forumSettings } from './settings'
import { createTokenSource, FORUM_PROVIDER, type TokenSource } from './token'

/** True when this gateway has an app registered with the vendor. */
export const isForumConfigured = (): boolean =>
  Boolean(forumSettings().REDDIT_CLIENT_ID && forumSettings().REDDIT_CLIENT_SECRET)

/**
 * GET of the Reddit API, https://www.reddit.com/dev/api/, with an application-only token; `raw_json` keeps texts free of
 * entities. A 401 is answered with a new token, once. Redirects are not followed: they mean "no such community", and
 * would carry the token to another host. Gives the body of a 200; throws `upstream_error`.
 */
export async function fetchForum(
  context: ToolContext,
  path: string,
  query: Record<string, string | undefined>,
  subject: ForumSubject,
): Promise<string> {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const url = `${forumSettings().REDDIT_BASE_URL}${path}?${new URLSearchParams([...given, ['raw_json', '1']])}`
  let reply = await getWithToken(context, url)
  if (reply.status === 401) reply = await getWithToken(context, url)
  if (reply.status !== 200) throw forumError(reply, subject)
  return reply.text
}

async function getWithToken(context: ToolContext, url: string): Promise<ProviderResponse> {
  const tokens = tokenSource()
  const token = await rejectOnAbort(tokens.get(), context.signal)
  const reply = await callProvider(context, {
    vendor: FORUM_PROVIDER,
    url,
    headers: { authorization: `bearer ${token}`, accept: 'application/json', 'user-agent': userAgent() },
    retryAfterS: (r) => (r.status === 429 ? (forumRetryDelayS(r) ?? 1) : 0.5),
  })
  if (reply.status === 401) tokens.drop(token)
  return reply
}

/**
 * Where a share link (`/r/…/s/…`) leads: the vendor's own site is asked, whatever host the link named, without the
 * token, and nothing is fetched from the answer's address. Throws `upstream_error`.
 */
export async function resolveShareLink(context: ToolContext, path: string): Promise<string> {
  const reply = await callProvider(context, {
    vendor: FORUM_PROVIDER,
    url: `${authUrl()}${path}`,
    headers: { 'user-agent': userAgent() },
    maxBytes: 1024 * 1024,
  })
  const location = [reply.headers.location ?? ''].flat()[0] ?? ''
  if (reply.status >= 300 && reply.status < 400 && location !== '') return location
  if (reply.status === 429 || reply.status >= 500) throw forumError(reply, { kind: 'post', name: path })
  throw new AppError(
    'upstream_error',
    `${FORUM_PROVIDER} does not know where this share link leads. Open it, and give the address it ends at.`,
  )
}

/** With or without the path of its one endpoint. */
const authUrl = () => forumSettings().REDDIT_AUTH_URL.replace(/\/api\/v1\/access_token$/, '')

/** Reddit turns away agents without a name: platform, app and version, https://github.com/reddit-archive/reddit/wiki/API */
const userAgent = () => `server:tollgate.${forumSettings().REDDIT_CLIENT_ID}:0.1.0 (self-hosted API gateway)`

const tokenSource = lazy<TokenSource>(() =>
  createTokenSource({
    authUrl: authUrl(),
    clientId: forumSettings().REDDIT_CLIENT_ID ?? '',
    clientSecret: forumSettings().REDDIT_CLIENT_SECRET ?? '',
    userAgent: userAgent(),
  }),
)
