import { provokedFailure } from '../kit/failures'
import type { SandboxRoute } from '../kit/route'
import { times } from '../kit/seed'
import { fillTemplate } from '../kit/template'
import { followerOf } from '../social/handles'
import { makeXUser, xFiguresOf } from './accounts'
import { readXPostId, readXUserId, type XPostKey } from './post-id'
import { GONE_USER_ID, makeXPost, type XPost } from './posts'
import { searchXPosts, xTimelineOf } from './search'
import shapes from './shapes.json'

/**
 * The X API v2 over made-up accounts and posts: every name and id answers, and what a search finds
 * has its words. Failures are asked for with a name or query that contains, or a numeric id that
 * is: `sandbox_429` or 429 a rate limit with its end · `sandbox_cap` or 430 the month's quota ·
 * `sandbox_402` or 402 no credits · `sandbox_403` or 403 an app that may not ask · `sandbox_500` or
 * 500 a fault · `sandbox_404` or 404 not found · `sandbox_suspended` or 405 suspended ·
 * `sandbox_protected` or 406 not public · `sandbox_html` or 600 a page · `sandbox_empty` or 204
 * nothing, without `data` · `sandbox_slow` or 700 the usual answer after 5 s · `sandbox_bare` an
 * account of which only id and names are known.
 */
export const xRoutes: SandboxRoute[] = [{ method: 'GET', path: '/x/2/*', handle: withAddresses }]

const BY_ID: Record<string, string> = shapes.numericFailures

/** Links to pages of the sandbox become whole addresses. */
async function withAddresses(req: Request): Promise<Response> {
  const response = await api(req)
  const text = await response.text()
  const whole = text.replaceAll('"expanded_url":"/site/', `"expanded_url":"${new URL(req.url).origin}/site/`)
  return new Response(whole, { status: response.status, headers: response.headers })
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
  const failed = await xFailure(wanted, third || first)
  if (failed) return failed
  const isEmpty = wanted === 'empty'

  if (resource === 'users' && first === 'by' && second === 'username') {
    const user = /^\w{1,15}$/.test(third) ? makeXUser(third, { full: query.has('user.fields') }) : null
    return user ? xJson({ data: user }) : ((await xFailure('404', third)) as Response)
  }
  if (resource === 'users' && first === 'search') {
    const why = 'Application-Only is forbidden for this endpoint.'
    return xProblem(403, 'Unsupported Authentication', why, 'unsupported-authentication')
  }
  if (resource === 'users' && second === 'tweets')
    return timeline(query, isEmpty ? [] : xTimelineOf(readXUserId(first)))
  if (resource === 'users' && second === 'followers') return followers(query, readXUserId(first), isEmpty)
  if (resource === 'tweets' && first === 'search') return search(query, isEmpty)
  if (resource === 'tweets' && /^\d+$/.test(first)) {
    const post = makeXPost(readXPostId(first), first)
    return xJson({ data: wireOf(post), includes: includesOf([post]) })
  }
  return new Response('', { status: 404 })
}

/** https://docs.x.com/x-api/fundamentals/pagination; without results there is no `data`. */
function page(query: URLSearchParams, count: number, least: number, tokenName: string) {
  const asked = Number(query.get('max_results') ?? 10)
  if (!(asked >= least && asked <= 1000))
    return { refused: invalidXRequest('max_results', query.get('max_results') ?? '') }
  const token = query.get(tokenName) ?? 'SB0'
  const from = /^SB(\d+)Z*=*$/.exec(token)?.[1]
  if (from === undefined) return { refused: invalidXRequest(tokenName, token) }
  const end = Math.min(Number(from) + asked, count)
  const numbers = times(Math.max(end - Number(from), 0), (n) => Number(from) + n)
  return { numbers, meta: { result_count: numbers.length, ...(end < count && { next_token: `SB${end}ZZZZ======` }) } }
}

/** https://docs.x.com/x-api/users/get-posts */
function timeline(query: URLSearchParams, keys: readonly XPostKey[]): Response {
  const { refused, numbers, meta } = page(query, keys.length, 5, 'pagination_token')
  return refused ?? postsAnswer(pick(keys, numbers), meta)
}

const pick = (keys: readonly XPostKey[], numbers: number[]): XPost[] =>
  numbers.flatMap((at) => keys[at] ?? []).map((key) => makeXPost(key))

function postsAnswer(posts: XPost[], meta: object): Response {
  if (posts.length === 0) return xJson({ meta })
  const hasGone = posts.some(({ data }) => data.author_id === GONE_USER_ID)
  const errors = hasGone && fillTemplate<object[]>(shapes.gone, { id: GONE_USER_ID })
  return xJson({ data: posts.map(wireOf), includes: includesOf(posts), ...(errors && { errors }), meta })
}

/** A post as it is sent: references are ids. */
const wireOf = ({ data }: XPost) => ({
  ...data,
  ...(data.referenced_tweets && { referenced_tweets: data.referenced_tweets.map(({ type, id }) => ({ type, id })) }),
})

function includesOf(posts: XPost[]) {
  const others = posts.flatMap(({ data }) => data.referenced_tweets ?? [])
  const referenced = [...new Map(others.map(({ id, key }) => [id, key]))].map(([id, key]) => makeXPost(key, id))
  const authors = new Set([...posts, ...referenced].map(({ author }) => author).filter(Boolean))
  const media = posts
    .flatMap(({ data }) => data.attachments?.media_keys ?? [])
    .map((media_key) =>
      media_key.startsWith('3_')
        ? { media_key, type: 'photo', url: `https://pbs.twimg.com/media/${media_key}.jpg`, alt_text: 'A photo' }
        : { media_key, type: 'video', preview_image_url: `https://pbs.twimg.com/ext_tw_video_thumb/${media_key}.jpg` },
    )
  const users = [...authors].flatMap((author) => makeXUser(author, { full: true }) ?? [])
  return {
    users,
    ...(referenced.length > 0 && { tweets: referenced.map(wireOf) }),
    ...(media.length > 0 && { media }),
  }
}

/** https://docs.x.com/x-api/users/get-followers: 1 to 1000 of them, newest first. */
function followers(query: URLSearchParams, handle: string, isEmpty: boolean): Response {
  const count = isEmpty ? 0 : xFiguresOf(handle).followers
  const { refused, numbers, meta } = page(query, count, 1, 'pagination_token')
  if (refused) return refused
  const data = numbers.flatMap((at) => makeXUser(followerOf(handle, at), { full: true }) ?? [])
  return xJson(data.length > 0 ? { data, meta } : { meta })
}

/** https://docs.x.com/x-api/posts/search-recent-posts: of a week, newest first or by relevance. */
function search(query: URLSearchParams, isEmpty: boolean): Response {
  const text = query.get('query') ?? ''
  const unknown = /\b(filter|since|until|include|exclude):/.exec(text)
  if (text === '' || unknown) {
    const at = unknown && `no viable alternative at input '${unknown[0]}' (at position ${unknown.index + 1})`
    return invalidXRequest('query', text, `There were errors processing your request: ${at ?? 'no query'}`)
  }
  const order = query.get('sort_order') ?? 'recency'
  if (order !== 'recency' && order !== 'relevancy') return invalidXRequest('sort_order', order)
  const found = isEmpty ? [] : searchXPosts(text, order)
  const { refused, numbers, meta } = page(query, found.length, 10, 'next_token')
  return refused ?? postsAnswer(pick(found, numbers), meta)
}

/** https://docs.x.com/x-api/fundamentals/rate-limits: the state of the window is in headers. */
const xJson = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers: { 'x-rate-limit-limit': '450', 'x-rate-limit-remaining': '449', ...headers } })
/** Errors and their types: https://docs.x.com/x-api/fundamentals/response-codes-and-errors */
const xProblem = (status: number, title: string, detail: string, type: string, more: object = {}): Response =>
  xJson(
    { title, detail, type: type === 'about:blank' ? type : `https://api.twitter.com/2/problems/${type}`, ...more },
    status,
  )
/** A parameter that is refused, by the provider's name for it. */
const invalidXRequest = (
  name: string,
  value: string,
  message = `The \`${name}\` query parameter value [${value}] is not valid`,
) =>
  xProblem(400, 'Invalid Request', 'One or more parameters to your request was invalid.', 'invalid-request', {
    errors: [{ parameters: { [name]: [value] }, message }],
  })
/** Single things that are not shown: status 200, no data. */
const errorsOnly = (title: string, detail: string): Response =>
  xJson({ errors: [{ title, detail, type: 'https://api.twitter.com/2/problems/resource-not-found' }] })

/** The failure a word asks for, if it does. */
async function xFailure(wanted: string | undefined, name: string): Promise<Response | null> {
  if (wanted === '404') return errorsOnly('Not Found Error', `Could not find [${name}].`)
  if (wanted === 'suspended') return errorsOnly('Forbidden', `User has been suspended: [${name}].`)
  const failure = await provokedFailure('x', wanted)
  if (wanted === '429') failure?.headers.set('x-rate-limit-reset', String(Math.ceil(Date.now() / 1000) + 60))
  return failure
}
