import { setTimeout as sleep } from 'node:timers/promises'
import type { SandboxRoute } from '../route'
import { invalidXRequest, xFailure, xJson, xProblem } from './errors'
import { hasImage, hasVideo, makeXPost, makeXReply, makeXUser, numberOfName, timelineIds, userNumber } from './posts'

/**
 * The X API v2 over made-up accounts and posts: every name and id answers. Failures are asked for
 * with a name or query that contains, or a numeric id that is: `sandbox_429` or 429 a rate limit
 * with its end · `sandbox_cap` or 430 the month's quota · `sandbox_402` or 402 no credits ·
 * `sandbox_403` or 403 an app that may not ask · `sandbox_500` or 500 a fault · `sandbox_404` or
 * 404 not found · `sandbox_suspended` or 405 suspended · `sandbox_protected` or 406 not public ·
 * `sandbox_html` or 600 a page · `sandbox_empty` or 204 nothing, without `data` · `sandbox_slow` or
 * 700 the usual answer after 5 s.
 */
export const xRoutes: SandboxRoute[] = [{ method: 'GET', path: '/x/2/*', handle: api }]

const BY_ID: Record<string, string> = {
  '405': 'suspended',
  '406': 'protected',
  '430': 'cap',
  '204': 'empty',
  '600': 'html',
  '700': 'slow',
}

/**
 * Paths: https://docs.x.com/x-api/introduction; errors:
 * https://docs.x.com/x-api/fundamentals/response-codes-and-errors
 */
async function api(req: Request): Promise<Response> {
  const { pathname, searchParams: query } = new URL(req.url)
  const [resource = '', first = '', second = '', third = ''] = pathname.split('/').slice(3)
  if (req.headers.get('authorization') !== 'Bearer sandbox')
    return xProblem(401, 'Unauthorized', 'Unauthorized', 'about:blank')
  const ids = [first, ...(query.get('query')?.match(/(?<=_id:)\d+/g) ?? [])]
  const word = /sandbox_(\d{3}|[a-z]+)/.exec(`${third} ${query.get('query') ?? ''}`)?.[1]
  const wanted = word ?? ids.flatMap((id) => (/^\d{3}$/.test(id) ? (BY_ID[id] ?? id) : []))[0]
  if (wanted === 'slow') await sleep(5_000)
  const failed = wanted === undefined ? undefined : xFailure(wanted, third || first)
  if (failed) return failed
  const isEmpty = wanted === 'empty'

  if (resource === 'users' && first === 'by' && second === 'username') {
    const full = query.has('user.fields')
    return xJson({ data: makeXUser(numberOfName(third), { full, username: third }) })
  }
  if (resource === 'users' && first === 'search') {
    return xProblem(
      403,
      'Unsupported Authentication',
      'Application-Only is forbidden for this endpoint.',
      'unsupported-authentication',
    )
  }
  if (resource === 'users' && second === 'tweets') return timeline(query, isEmpty ? [] : timelineIds(userNumber(first)))
  if (resource === 'users' && second === 'followers') return followers(query, isEmpty ? 0 : 250)
  if (resource === 'tweets' && first === 'search') return search(query, isEmpty)
  if (resource === 'tweets' && /^\d+$/.test(first))
    return xJson({ data: makeXPost(first), includes: includesOf([makeXPost(first)]) })
  return new Response('', { status: 404 })
}

type AnyPost = ReturnType<typeof makeXPost> | ReturnType<typeof makeXReply>

/**
 * What a page is cut by: https://docs.x.com/x-api/fundamentals/pagination; without results there is
 * no `data`.
 */
function page<T>(query: URLSearchParams, all: readonly T[], least: number, tokenName: string) {
  const count = Number(query.get('max_results') ?? 10)
  if (!(count >= least && count <= 1000))
    return { refused: invalidXRequest('max_results', query.get('max_results') ?? '') }
  const token = query.get(tokenName) ?? 'SB0'
  const from = /^SB(\d+)Z*=*$/.exec(token)?.[1]
  if (from === undefined) return { refused: invalidXRequest(tokenName, token) }
  const items = all.slice(Number(from), Number(from) + count)
  const end = Number(from) + items.length
  const meta = { result_count: items.length, ...(end < all.length && { next_token: `SB${end}ZZZZ======` }) }
  return { items, meta }
}

/** https://docs.x.com/x-api/users/get-posts */
function timeline(query: URLSearchParams, ids: string[]): Response {
  const { refused, items, meta } = page(query, ids, 5, 'pagination_token')
  return refused ?? postsAnswer(items.map(makeXPost), meta)
}

function postsAnswer(posts: AnyPost[], meta: object): Response {
  if (posts.length === 0) return xJson({ meta })
  const gone = posts.find((post) => post.author_id === '8999999999')
  const errors = gone && [
    {
      title: 'Forbidden',
      detail: `User has been suspended: [${gone.author_id}].`,
      type: 'https://api.twitter.com/2/problems/resource-not-found',
    },
  ]
  return xJson({ data: posts, includes: includesOf(posts), ...(errors && { errors }), meta })
}

function includesOf(posts: AnyPost[]) {
  const tweets = posts.flatMap(({ referenced_tweets: known = [] }) =>
    known.filter((r) => r.type === 'retweeted').map((r) => makeXPost(r.id)),
  )
  const authors = new Set([...posts, ...tweets].map((post) => post.author_id).filter((id) => id !== '8999999999'))
  const media = posts
    .flatMap(({ attachments }) => attachments?.media_keys ?? [])
    .map((media_key) =>
      media_key.startsWith('3_')
        ? { media_key, type: 'photo', url: `https://media.example.com/${media_key}.jpg`, alt_text: 'Low tide' }
        : { media_key, type: 'video', preview_image_url: `https://media.example.com/${media_key}.jpg` },
    )
  const users = [...authors].map((id) => makeXUser(userNumber(id), { full: true }))
  return { users, ...(tweets.length > 0 && { tweets }), ...(media.length > 0 && { media }) }
}

/**
 * https://docs.x.com/x-api/users/get-followers: 1 to 1000; the second hundred has nobody verified.
 */
function followers(query: URLSearchParams, count: number): Response {
  const all = Array.from({ length: count }, (_, i) => i)
  const { refused, items, meta } = page(query, all, 1, 'pagination_token')
  if (refused) return refused
  const plain = { verified: false, verified_type: 'none' }
  const data = items.map((i) => ({
    ...makeXUser(i, { full: true, username: `follower_${i}` }),
    id: String(9_100_000_000 + i),
    ...(i >= 100 && i < 200 && plain),
  }))
  return xJson(data.length > 0 ? { data, meta } : { meta })
}

/**
 * https://docs.x.com/x-api/posts/search-recent-posts: 10 to 100 posts of a week, newest first or by
 * relevance.
 */
function search(query: URLSearchParams, isEmpty: boolean): Response {
  const text = query.get('query') ?? ''
  const unknown = /\b(filter|since|until|include|exclude):/.exec(text)
  if (text === '' || unknown) {
    const where = unknown
      ? `no viable alternative at input '${unknown[0]}' (at position ${unknown.index + 1})`
      : 'no query'
    return invalidXRequest('query', text, `There were errors processing your request: ${where}`)
  }
  const order = query.get('sort_order') ?? 'recency'
  if (order !== 'recency' && order !== 'relevancy') return invalidXRequest('sort_order', order)
  const conversation = /conversation_id:(\d+)/.exec(text)?.[1]
  const found = isEmpty ? [] : conversation ? replies(conversation) : matches(text, order)
  const { refused, items, meta } = page(query, found, 10, 'next_token')
  return refused ?? postsAnswer(items, meta)
}

const REPLIES = 27

const replies = (to: string): AnyPost[] =>
  Array.from({ length: REPLIES }, (_, i) => makeXReply(to, i, i === REPLIES - 1))

function matches(text: string, order: string): AnyPost[] {
  const from = /from:(\w+)/.exec(text)?.[1]
  const users = from === undefined ? Array.from({ length: 12 }, (_, n) => n) : [numberOfName(from)]
  const fits = (id: string) =>
    (!text.includes('has:images') || hasImage(id)) && (!text.includes('has:videos') || hasVideo(id))
  const found = users.flatMap(timelineIds).filter(fits).map(makeXPost)
  const likes = (post: AnyPost) => post.public_metrics.like_count
  return found.sort((a, b) => (order === 'relevancy' ? likes(b) - likes(a) : b.created_at.localeCompare(a.created_at)))
}
