import { beforeEach, expect, test, vi } from 'vitest'
import { type ScriptedReply, withProviderAt } from '../../../tests/support/providers'
import { toolResult } from '../../../tests/support/run-tool'
import { forumCommunity } from './forum_community'
import { forumPost } from './forum_post'

const SECRET = 'app-secret-1'
const EMPTY = JSON.stringify({ kind: 'Listing', data: { children: [], after: null } })
const token = (n: number): ScriptedReply => ({
  body: JSON.stringify({ access_token: `token-${n}`, token_type: 'bearer', expires_in: 3600, scope: '*' }),
})

let tokens: (nth: number) => ScriptedReply
let respond: (authorization: string, path: string) => ScriptedReply
let issued = 0

const { requests } = withProviderAt(
  (url) => ({
    REDDIT_BASE_URL: `${url}/api/`,
    REDDIT_AUTH_URL: `${url}/www/api/v1/access_token`,
    REDDIT_CLIENT_ID: 'app-id',
    REDDIT_CLIENT_SECRET: SECRET,
  }),
  ({ headers, url }) => {
    if (url.pathname === '/www/api/v1/access_token') return tokens(++issued)
    return respond(headers.authorization ?? '', url.pathname)
  },
)

const hot = () => toolResult(forumCommunity, { community: 'bread' })
const renew = async () => {
  respond = () => ({ status: 401, body: '{"error": 401}' })
  await hot().catch(() => {})
}

// Each test starts without a valid token.
beforeEach(async () => {
  tokens = token
  if (issued > 0) await renew()
  requests.length = 0
  issued = 0
  respond = () => ({ body: EMPTY })
})

test('concurrent calls request one token with Basic auth, and later calls reuse it', async () => {
  await Promise.all([hot(), hot(), hot()])
  await hot()
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  const [first, second] = requests
  expect(first).toMatchObject({ body: 'grant_type=client_credentials' })
  expect(first?.headers).toMatchObject({
    authorization: `Basic ${Buffer.from(`app-id:${SECRET}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect(second?.headers).toMatchObject({
    authorization: 'bearer token-1',
    'user-agent': expect.stringMatching(/^server:tollgate\.app-id:/),
  })
  expect(second?.url.pathname).toBe('/api/r/bread/hot')
  expect(Object.fromEntries(second?.url.searchParams ?? [])).toEqual({ limit: '25', raw_json: '1' })
})

test('a token that the provider rejects is replaced once', async () => {
  respond = (authorization) => (authorization === 'bearer token-2' ? { body: EMPTY } : { status: 401, body: '{}' })
  expect(await hot()).toMatchObject({ rows: [] })
  expect(issued).toBe(2)
})

test('a token is replaced before it expires', async () => {
  await hot()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_539_000 })
  await hot()
  expect(issued).toBe(1)
  vi.setSystemTime(Date.now() + 2_000)
  await hot()
  expect(issued).toBe(2)
  vi.useRealTimers()
})

test('after a second 401 the operator has to act, and no third token is requested', async () => {
  respond = () => ({ status: 401, body: '{"message": "Unauthorized", "error": 401}' })
  await expect(hot()).rejects.toMatchObject({
    code: 'upstream_error',
    message: 'The forum provider denied access to this gateway (HTTP 401). Contact the operator.',
  })
  expect(issued).toBe(2)
})

test.each([
  ['200 with an error', { body: '{"error": "unauthorized_client", "error_description": "no"}' }, /unauthorized_client/],
  ['401', { status: 401, body: '{"message": "Unauthorized", "error": 401}' }, /HTTP 401/],
  ['200 without a token', { body: '{"token_type": "bearer"}' }, /unknown format/],
  ['a page', { body: '<html>' }, /invalid JSON/],
  ['429', { status: 429, headers: { 'retry-after': '99' }, body: '<html>' }, /HTTP 429/],
])('without a token (%s) the error holds no secret, and no call is made', async (_name, reply, message) => {
  tokens = () => reply
  const error: Error = await hot().then(
    () => new Error('no error'),
    (e) => e,
  )
  expect(error).toMatchObject({ code: 'upstream_error', message: expect.stringMatching(message) })
  expect(`${error.message} ${error.cause}`).not.toContain(SECRET)
  expect(requests.every(({ method }) => method === 'POST')).toBe(true)
  tokens = token
  expect(await hot()).toMatchObject({ rows: [] })
})

test('a redirect is not followed: the community does not exist, and the token is not sent elsewhere', async () => {
  respond = () => ({ status: 302, headers: { location: '/elsewhere' } })
  await expect(hot()).rejects.toMatchObject({ message: 'There is no community bread, or it was deleted.' })
  expect(requests.map(({ url }) => url.pathname)).not.toContain('/elsewhere')
})

test.each([
  ['retry-after: 61', { 'retry-after': '61' }, 61],
  ['x-ratelimit-reset: 291.4', { 'x-ratelimit-reset': '291.4' }, 292],
])('a 429 with %s says when to try again', async (_name, headers, retryAfter) => {
  respond = () => ({
    status: 429,
    headers: { 'content-type': 'text/html', ...headers } as never,
    body: ' <!doctype html>',
  })
  await expect(hot()).rejects.toMatchObject({ code: 'upstream_error', retryAfter })
})

test.each([
  ['HTML 403', { status: 403, headers: { 'content-type': 'text/html' }, body: '<body>blocked</body>' }, /operator/i],
  [
    '403 for want of a scope',
    { status: 403, headers: { 'www-authenticate': 'Bearer' }, body: '{"error": 403}' },
    /operator/,
  ],
  ['a bare 403', { status: 403, body: '{"error": 403}' }, /does not show the community bread to the public/],
  ['quarantined', { status: 403, body: '{"reason": "quarantined", "error": 403}' }, /is quarantined/],
  ['truncated JSON', { body: EMPTY.slice(0, -1) }, /invalid JSON/],
  ['communities instead of posts', { body: EMPTY.replace('Listing', 't5') }, /unknown format/],
  ['a post without an id', { body: EMPTY.replace('[]', '[{"kind": "t3", "data": {"title": "x"}}]') }, /unknown format/],
  ['null', { body: 'null' }, /unknown format/],
])('%s is an upstream_error', async (_name, reply, message) => {
  respond = () => reply as ScriptedReply
  await expect(hot()).rejects.toMatchObject({ code: 'upstream_error', message: expect.stringMatching(message) })
})

test('a post with only its required fields is returned, with null for the rest', async () => {
  const data = { id: 'a1', title: 'x', subreddit: 'bread', edited: false, created_utc: 'soon', score: '7' }
  respond = () => ({
    body: EMPTY.replace(
      '[]',
      JSON.stringify([
        { kind: 't5', data: {} },
        { kind: 't3', data },
      ]),
    ),
  })
  expect(await hot()).toMatchObject({
    rows: [{ postId: 'a1', author: null, publishedAt: null, editedAt: null, score: null }],
  })
})

test('a share link is requested from the provider’s own site without the token, and followed one step', async () => {
  const post = { kind: 't3', data: { id: 'a1', title: 'x', subreddit: 'bread' } }
  respond = (_authorization, path) =>
    path.startsWith('/www/')
      ? { status: 301, headers: { location: 'https://www.reddit.com/r/bread/comments/a1/x/?share_id=1' } }
      : { body: `[${EMPTY.replace('[]', JSON.stringify([post]))}, ${EMPTY}]` }
  expect(await toolResult(forumPost, { postId: 'https://old.reddit.com/r/bread/s/AbC' })).toMatchObject({
    post: { postId: 'a1' },
  })
  const [share, , page] = requests
  expect(share?.url.pathname).toBe('/www/r/bread/s/AbC')
  expect(share?.headers.authorization).toBeUndefined()
  expect(page?.url.pathname).toBe('/api/comments/a1')
})

test.each([
  'https://evil.example/r/bread/comments/a1/',
  'http://169.254.169.254/r/bread/comments/a1',
  'https://www.reddit.com/r/bread/s/again',
  'https://www.reddit.com/login',
])('a share link that leads to %s leads to no post', async (location) => {
  respond = () => ({ status: 302, headers: { location } })
  await expect(toolResult(forumPost, { postId: 'https://www.reddit.com/r/bread/s/AbC' })).rejects.toMatchObject({
    code: 'upstream_error',
    message: 'This share link does not lead to a post.',
  })
  expect(requests).toHaveLength(1)
})
