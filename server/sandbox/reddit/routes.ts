import { setTimeout as sleep } from 'node:timers/promises'
import type { SandboxRoute } from '../route'
import { commentListing, sharedPost } from './comments'
import { knownIds, makeRedditPost, pickByHash } from './posts'

/**
 * Reddit's OAuth API over made-up posts: every community, user, domain and post id answers.
 * Failures are asked for with a community, user, domain, post id or query that contains, dots and
 * the like aside: `sandbox429` an HTML refusal · `sandbox500` an empty server error · `sandboxhtml`
 * a page with status 200 · `sandboxslow` the usual answer after 5 s · `sandbox404` nothing there
 * (communities: a redirect) · `sandboxban` a banned community · `sandboxprivate` a private one ·
 * `sandboxempty` no posts · `sandboxgone` a suspended user or a deleted post · `sandbox401` a token
 * that is never good.
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
const html = (status: number, text: string, headers: Record<string, string> = {}): Response =>
  new Response(`<!doctype html>\n<h1>whoa there, pardner!</h1><p>${text}</p>`, {
    status,
    headers: { 'content-type': 'text/html; charset=UTF-8', ...headers },
  })
const notFound = () => json({ message: 'Not Found', error: 404 }, 404)

/**
 * https://github.com/reddit-archive/reddit/wiki/OAuth2#application-only-oauth: an unfit grant is
 * refused with status 200.
 */
async function accessToken(req: Request): Promise<Response> {
  const basic = `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`
  if (req.headers.get('authorization') !== basic) return json({ message: 'Unauthorized', error: 401 }, 401)
  const grant = new URLSearchParams(await req.text()).get('grant_type')
  if (grant !== 'client_credentials') return json({ error: 'unsupported_grant_type' })
  return json({ access_token: TOKEN, token_type: 'bearer', expires_in: 3600, scope: '*' })
}

/**
 * A share link is a redirect of the site: github:praw-dev/praw,
 * TestComment.test_resolve_from_share_url.
 */
function shareLink(req: Request): Response {
  const path = new URL(req.url).pathname.slice('/reddit-www'.length)
  const [, community, token = ''] = /^\/(?:r|u|user)\/([\w-]+)\/s\/(\w+)$/.exec(path) ?? []
  if (community === undefined || token.includes('sandbox404')) return html(404, 'page not found')
  const location = `https://www.reddit.com/r/${community}/comments/${sharedPost}/shared/?share_id=sandbox&utm_source=share`
  return new Response(null, { status: 301, headers: { location } })
}

/**
 * Paths, listings and their parameters: https://www.reddit.com/dev/api/; refusals:
 * https://github.com/reddit-archive/reddit/wiki/API
 */
async function api(req: Request): Promise<Response> {
  const { pathname, searchParams: query } = new URL(req.url)
  const parts = pathname.split('/').slice(2).map(decodeURIComponent)
  const asked = [...parts, query.get('q') ?? '']
    .join(' ')
    .toLowerCase()
    .replace(/[^a-z0-9 ]/g, '')
  const isBad = req.headers.get('authorization') !== `bearer ${TOKEN}` || asked.includes('sandbox401')
  if (isBad) return json({ message: 'Unauthorized', error: 401 }, 401, { 'www-authenticate': 'Bearer realm="reddit"' })
  if (!req.headers.get('user-agent')) return html(403, 'blocked due to a network policy')
  if (asked.includes('sandbox429')) return html(429, 'too many requests', { 'retry-after': '61' })
  if (asked.includes('sandbox500')) return new Response('', { status: 500, headers: JSON_TYPE })
  if (asked.includes('sandboxhtml')) return html(200, 'taking a break')
  if (asked.includes('sandboxprivate')) return json({ reason: 'private', message: 'Forbidden', error: 403 }, 403)
  if (asked.includes('sandboxban')) return json({ reason: 'banned', message: 'Not Found', error: 404 }, 404)
  if (asked.includes('sandboxslow')) await sleep(5_000)
  const missing = asked.includes('sandbox404')
  const ids = asked.includes('sandboxempty') ? [] : knownIds

  const [resource = '', name = '', what = ''] = parts
  if (resource === 'r' && missing) {
    return new Response(null, {
      status: 302,
      headers: { location: `https://www.reddit.com/subreddits/search.json?q=${name}` },
    })
  }
  if (missing) return notFound()
  if (resource === 'search') return page(query, searched(ids, query))
  if (resource === 'r' && what === 'search') return page(query, searched(ids, query), name)
  if (resource === 'r') return page(query, ids, name, what === 'hot' && !query.has('after') ? 2 : 0)
  if (resource === 'domain')
    return page(
      query,
      ids.filter((_, n) => n % 4 === 1),
    )
  if (resource === 'user' && what === 'about') return asked.includes('sandboxgone') ? suspended(name) : about(name)
  if (resource === 'comments' && /^[a-z0-9]+$/.test(name)) return post(query, name, asked.includes('sandboxgone'))
  return notFound()
}

/**
 * Every post has something of every query, so that no search is empty by accident; better matches
 * come first.
 */
function searched(ids: readonly string[], query: URLSearchParams): string[] {
  const words = (query.get('q') ?? '').toLowerCase().split(/\W+/).filter(Boolean)
  const hits = (id: string) => words.filter((word) => makeRedditPost(id).title.toLowerCase().includes(word)).length
  return [...ids].sort((a, b) => hits(b) - hits(a))
}

/**
 * A listing: `after` is the full name of its last post while there are more. Pinned posts come on
 * top of the limit.
 */
function page(query: URLSearchParams, ids: readonly string[], community?: string, pinned = 0): Response {
  const limit = Math.min(Math.max(Math.trunc(Number(query.get('limit') ?? 25)) || 25, 1), 100)
  const all = ids.slice(pinned)
  const from = all.indexOf((query.get('after') ?? '').replace('t3_', '')) + 1
  const shown = all.slice(from, from + limit)
  const last = shown.at(-1)
  const child = (id: string, stickied: boolean) => ({
    kind: 't3',
    data: { ...makeRedditPost(id, community), stickied },
  })
  const children = [...ids.slice(0, pinned).map((id) => child(id, true)), ...shown.map((id) => child(id, false))]
  const after = last !== undefined && last !== all.at(-1) ? `t3_${last}` : null
  return json({
    kind: 'Listing',
    data: { after, dist: children.length, modhash: null, geo_filter: '', children, before: null },
  })
}

function post(query: URLSearchParams, id: string, isDeleted: boolean): Response {
  const data = isDeleted ? { ...makeRedditPost(id), author: '[deleted]', selftext: '[deleted]' } : makeRedditPost(id)
  const first = {
    kind: 'Listing',
    data: { modhash: '', dist: 1, children: [{ kind: 't3', data }], after: null, before: null },
  }
  const [limit, depth] = [Number(query.get('limit') ?? 200), Number(query.get('depth') ?? 10)]
  return json([first, commentListing(id, isDeleted ? 0 : limit, depth)])
}

function about(name: string): Response {
  const [link_karma, comment_karma] = [pickByHash(name, 5_000), pickByHash(`${name}c`, 20_000)]
  return json({
    kind: 't2',
    data: {
      id: `sb${pickByHash(name, 99_999).toString(36)}`,
      name,
      created_utc: 1_400_000_000 + pickByHash(name, 300_000_000),
      link_karma,
      comment_karma,
      total_karma: link_karma + comment_karma,
      verified: true,
      has_verified_email: pickByHash(name, 2) === 1,
      is_employee: false,
      is_gold: false,
      is_mod: pickByHash(name, 3) === 0,
      icon_img: 'https://styles.example.com/avatar.png?width=256&s=sandbox',
      subreddit: { title: `The real ${name}`, public_description: 'Made up & harmless.', over_18: false },
    },
  })
}

/** A stub with status 200: https://github.com/praw-dev/praw/issues/1241 */
const suspended = (name: string): Response =>
  json({ kind: 't2', data: { name, is_suspended: true, total_karma: 0, awardee_karma: 0, awarder_karma: 0 } })
