import { provokedFailure } from '../kit/failures'
import type { SandboxRoute } from '../kit/route'
import { drawFrom } from '../kit/seed'
import { anySubject } from '../social/communities'
import { commentListing, redditListing } from './comments'
import { communityCandidates, domainCandidates, inOrder, searchCandidates } from './listings'
import { type PostKey, readPostId, writePostId } from './post-id'
import { makeRedditPost, withOrigin } from './posts'
import { forumProfile, suspendedProfile } from './users'

/**
 * Reddit's OAuth API over made-up posts: every community, user, domain and post id answers, and
 * what a search finds has its words. Failures are asked for with a community, user, domain, post id
 * or query that contains, dots and the like aside: `sandbox429` an HTML refusal · `sandbox500` an
 * empty server error · `sandboxhtml` a page with status 200 · `sandboxslow` the usual answer after
 * 5 s · `sandbox404` nothing there (communities: a redirect) · `sandboxban` a banned community ·
 * `sandboxprivate` a private one · `sandboxempty` no posts · `sandboxgone` a suspended user or a
 * deleted post · `sandbox401` a token that is never good.
 */
export const redditRoutes: SandboxRoute[] = [
  { method: 'POST', path: '/reddit-www/api/v1/access_token', handle: accessToken },
  { method: 'GET', path: '/reddit-www/*', handle: shareLink },
  { method: 'GET', path: '/reddit/*', handle: api },
]

const TOKEN = 'sandbox-token'
const JSON_TYPE = { 'content-type': 'application/json; charset=UTF-8' }
const WINDOW = { 'x-ratelimit-remaining': '594.0', 'x-ratelimit-reset': '291', 'x-ratelimit-used': '6' }

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { ...JSON_TYPE, ...WINDOW, ...headers } })
function html(status: number, text: string): Response {
  const headers = { 'content-type': 'text/html; charset=UTF-8' }
  return new Response(`<!doctype html>\n<h1>whoa there, pardner!</h1><p>${text}</p>`, { status, headers })
}
const notFound = () => json({ message: 'Not Found', error: 404 }, 404)

/** https://github.com/reddit-archive/reddit/wiki/OAuth2: an unfit grant is refused with 200. */
async function accessToken(req: Request): Promise<Response> {
  const basic = `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`
  if (req.headers.get('authorization') !== basic) return json({ message: 'Unauthorized', error: 401 }, 401)
  const grant = new URLSearchParams(await req.text()).get('grant_type')
  if (grant !== 'client_credentials') return json({ error: 'unsupported_grant_type' })
  return json({ access_token: TOKEN, token_type: 'bearer', expires_in: 3600, scope: '*' })
}

/** A redirect of the site: github:praw-dev/praw, TestComment.test_resolve_from_share_url. */
function shareLink(req: Request): Response {
  const path = new URL(req.url).pathname.slice('/reddit-www'.length)
  const [, community, token = ''] = /^\/(?:r|u|user)\/([\w-]+)\/s\/(\w+)$/.exec(path) ?? []
  if (community === undefined || token.includes('sandbox404')) return html(404, 'page not found')
  const post = `r/${community}/comments/${sharedPostOf(community, token)}`
  return redirectTo(301, `${post}/shared/?share_id=sandbox&utm_source=share`)
}

const redirectTo = (status: number, path: string) =>
  new Response(null, { status, headers: { location: `https://www.reddit.com/${path}` } })

/**
 * Paths, listings and their parameters: https://www.reddit.com/dev/api/; refusals:
 * https://github.com/reddit-archive/reddit/wiki/API
 */
async function api(req: Request): Promise<Response> {
  const { origin, pathname, searchParams: query } = new URL(req.url)
  const parts = pathname.split('/').slice(2).map(decodeURIComponent)
  const asked = [...parts, query.get('q') ?? '']
    .join(' ')
    .toLowerCase()
    .replace(/[^a-z0-9 ]/g, '')
  const isBad = req.headers.get('authorization') !== `bearer ${TOKEN}` || asked.includes('sandbox401')
  if (isBad) return json({ message: 'Unauthorized', error: 401 }, 401, { 'www-authenticate': 'Bearer realm="reddit"' })
  if (!req.headers.get('user-agent')) return html(403, 'blocked due to a network policy')
  const failure = await provokedFailure('reddit', /sandbox(429|500|html|private|ban|slow)/.exec(asked)?.[1])
  if (failure) return failure
  const missing = asked.includes('sandbox404')
  const isEmpty = asked.includes('sandboxempty')

  const [resource = '', name = '', what = ''] = parts
  if (resource === 'r' && missing) return redirectTo(302, `subreddits/search.json?q=${name}`)
  if (missing) return notFound()
  const list = (find: () => ReturnType<typeof communityCandidates>, sort: string, hasPinned = false) =>
    page({ query, origin }, isEmpty ? [] : inOrder(find(), sort, query.get('t')), hasPinned)
  if (resource === 'search' || (resource === 'r' && what === 'search')) {
    const [community, words] = searchOf(query, resource === 'r' ? name : '')
    return list(() => searchCandidates(words, community), query.get('sort') ?? 'relevance')
  }
  if (resource === 'r') return list(() => communityCandidates(name), what, what === 'hot')
  if (resource === 'domain') return list(() => domainCandidates(name), what)
  if (resource === 'user' && what === 'about')
    return json(asked.includes('sandboxgone') ? suspendedProfile(name) : forumProfile(name))
  if (resource === 'comments' && /^[a-z0-9]+$/.test(name))
    return post({ query, origin }, name, asked.includes('sandboxgone'))
  return notFound()
}

/** `subreddit:bread` in a query is a search of that community. */
function searchOf(query: URLSearchParams, community: string): [string, string] {
  const words = query.get('q') ?? ''
  return [community || (/\bsubreddit:(?:r\/)?(\w+)/i.exec(words)?.[1] ?? ''), words]
}

type Asked = { query: URLSearchParams; origin: string }

/** A listing: `after` names its last post while there are more; pinned ones exceed the limit. */
function page({ query, origin }: Asked, keys: readonly PostKey[], hasPinned = false): Response {
  const limit = Math.min(Math.max(Math.trunc(Number(query.get('limit') ?? 25)) || 25, 1), 100)
  const pinned = hasPinned ? keys.filter(({ n }) => n < 2) : []
  const all = hasPinned ? keys.filter(({ n }) => n >= 2) : keys
  const after = query.get('after')?.replace('t3_', '')
  const last = after === undefined ? undefined : readPostId(after).n
  const from = last === undefined ? 0 : all.findIndex(({ n }) => n === last) + 1
  const shown = all.slice(from, from + limit)
  const keysShown = [...(after === undefined ? pinned : []), ...shown]
  const children = keysShown.map((key) => ({ kind: 't3', data: withOrigin(makeRedditPost(key), origin) }))
  const end = shown.at(-1)
  const next = end && from + limit < all.length ? `t3_${writePostId(end)}` : null
  return json(redditListing(children, { dist: children.length, geo_filter: '', after: next }))
}

function post({ query, origin }: Asked, id: string, isDeleted: boolean): Response {
  const made = withOrigin(makeRedditPost(readPostId(id), id), origin)
  const data = isDeleted ? { ...made, author: '[deleted]', selftext: '[deleted]', num_comments: 0 } : made
  const number = (name: string, usual: number) => Number(query.get(name) ?? usual)
  const asked = {
    limit: isDeleted ? 0 : number('limit', 200),
    depth: number('depth', 10),
    sort: query.get('sort') ?? 'confidence',
    comment: query.get('comment'),
  }
  return json([redditListing([{ kind: 't3', data }], { dist: 1 }), commentListing(id, asked)])
}

const sharedPostOf = (community: string, token: string): string =>
  writePostId({ community, topic: '', domain: '', n: drawFrom(`shared ${token}`).int('n', 0, 99) }) ??
  writePostId({ community: '', topic: anySubject(token), domain: '', n: 0 }) ??
  ''
