import { expect, test } from 'vitest'
import { type ScriptedReply, withProviderAt } from '../../../tests/support/providers'
import { toolResult } from '../../../tests/support/run-tool'
import { microblogPost } from './microblog_post'
import { microblogPostComments } from './microblog_post_comments'
import { microblogSearch } from './microblog_search'
import { microblogUser } from './microblog_user'
import { microblogUserPosts } from './microblog_user_posts'

const TOKEN = 'bearer-of-the-app'

let respond: () => ScriptedReply
const { requests } = withProviderAt(
  (url) => ({ X_BASE_URL: `${url}/api/`, X_BEARER_TOKEN: TOKEN }),
  () => respond(),
)

const jsonResponse = (body: unknown, status = 200, headers = {}): ScriptedReply => ({
  status,
  headers,
  body: JSON.stringify(body),
})
const respondWith = (body: unknown, status = 200, headers = {}) => {
  requests.length = 0
  respond = () => jsonResponse(body, status, headers)
}
const user = () => toolResult(microblogUser, { username: 'ada' })
const posts = (params: object = {}) => toolResult(microblogUserPosts, { userId: '42', ...params })
const PROBLEMS = 'https://api.x.com/2/problems'

test('the request has the token and asks for every field of the result', async () => {
  respondWith({ data: { id: '1', name: 'Ada', username: 'ada' } })
  await user()
  expect(requests[0]?.url.pathname).toBe('/api/2/users/by/username/ada')
  expect(requests[0]?.url.searchParams.get('user.fields')).toMatch(/public_metrics.*verified,verified_type/)
  expect(requests[0]?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}` })
})

test.each([
  [{}, { max_results: '20' }],
  [{ limit: 1 }, { max_results: '5' }],
  [{ limit: 40 }, { max_results: '40' }],
  [
    { limit: 3, cursor: '3.abc1' },
    { max_results: '6', pagination_token: 'abc1' },
  ],
  [{ limit: 40, cursor: '3.' }, { max_results: '43' }],
])('a timeline with %j requests %j', async (params, query) => {
  respondWith({ meta: { result_count: 0 } })
  await posts(params)
  const sent = Object.fromEntries(requests[0]?.url.searchParams ?? [])
  expect(sent).toMatchObject(query)
  expect(sent.pagination_token).toBe((query as { pagination_token?: string }).pagination_token)
})

test('replies are searched by conversation and by parent post, at least ten at a time', async () => {
  respondWith({ meta: { result_count: 0 } })
  await toolResult(microblogPostComments, { postId: '77', limit: 2, cursor: 'tok1' })
  expect(requests[0]?.url.pathname).toBe('/api/2/tweets/search/recent')
  expect(Object.fromEntries(requests[0]?.url.searchParams ?? [])).toMatchObject({
    query: '(conversation_id:77 OR in_reply_to_tweet_id:77) is:reply',
    max_results: '10',
    next_token: 'tok1',
  })
})

test.each([
  ['Top', 'a OR has:links', 'relevancy', '10'],
  ['Latest', 'a OR has:links', 'recency', '10'],
  ['Photos', '(a OR has:links) has:images', 'recency', '10'],
  ['Videos', '(a OR has:links) has:videos', 'recency', '10'],
  ['People', 'a OR has:links', 'relevancy', '14'],
])('%s searches for %s by %s', async (searchType, query, sort_order, max_results) => {
  respondWith({ meta: { result_count: 0 } })
  await toolResult(microblogSearch, { query: 'a OR filter:links', searchType, limit: 7 })
  expect(Object.fromEntries(requests[0]?.url.searchParams ?? [])).toMatchObject({ query, sort_order, max_results })
})

test('errors beside data concern parts, and do not fail the call', async () => {
  respondWith({
    data: [{ id: '1', text: 'x', author_id: '9', referenced_tweets: [{ type: 'quoted', id: '2' }] }],
    errors: [{ title: 'Not Found Error', detail: 'gone', type: `${PROBLEMS}/resource-not-found` }],
    meta: { result_count: 1, next_token: 'n' },
  })
  expect(await posts()).toMatchObject({
    rows: [{ author: null, likeCount: null, references: [{ type: 'quote', postId: '2', text: null }] }],
    users: [],
    nextCursor: 'n',
  })
})

test('the names since August 2026 are understood', async () => {
  respondWith({
    data: {
      id: '1',
      text: 'cut…',
      author_id: '9',
      note_post: { text: 'whole' },
      referenced_posts: [{ type: 'reposted', id: '2' }],
      public_metrics: { repost_count: 7, like_count: null },
    },
    includes: {
      posts: [{ id: '2', text: 'first' }, { id: 3 }, null],
      users: [{}, { id: '9', name: 'N', username: 'n', verified_type: 'blue', public_metrics: { post_count: 3 } }],
    },
  })
  expect(await toolResult(microblogPost, { postId: '1' })).toMatchObject({
    text: 'whole',
    repostCount: 7,
    likeCount: null,
    references: [{ type: 'repost', text: 'first' }],
    user: { postCount: 3, isVerified: true },
  })
})

const single = (title: string, detail: string, type: string) => ({
  errors: [{ title, detail, type: `${PROBLEMS}/${type}` }],
})

test.each([
  ['200', single('Not Found Error', 'Could not find user', 'resource-not-found'), 200, /^There is no user ada/],
  ['404', single('Not Found Error', 'Could not find user', 'resource-not-found'), 404, /^There is no user ada/],
  [
    '200',
    single('Forbidden', 'User has been suspended: [ada].', 'resource-not-found'),
    200,
    /^The account of user ada is suspended/,
  ],
  ['200', single('Authorization Error', 'Sorry', 'not-authorized-for-resource'), 200, /is not public/],
  ['200', single('Odd', 'Odd', 'odd'), 200, /does not show the user ada/],
  ['401', { title: 'Unauthorized', status: 401, detail: 'Unauthorized', type: 'about:blank' }, 401, /operator/],
  [
    '402',
    { title: 'CreditsDepleted', detail: 'account [2012982477812371456]', type: `${PROBLEMS}/credits` },
    402,
    /operator/,
  ],
  ['403', { client_id: '12345678', title: 'Client Forbidden', type: `${PROBLEMS}/client-forbidden` }, 403, /operator/],
  [
    '400',
    { errors: [{ message: 'The `max_results` value is not valid.' }], title: 'Invalid Request' },
    400,
    /`limit` value is not valid\.$/,
  ],
  ['418', {}, 418, /unexpected response \(HTTP 418\)/],
  ['null', null, 200, /unknown format/],
  ['data of null', { data: null, errors: [{ detail: 'User has been suspended' }] }, 200, /suspended/],
  ['nothing', {}, 200, /unknown format/],
  ['a list', { data: [] }, 200, /unknown format/],
  ['another thing', { data: { id: 1 } }, 200, /unknown format/],
  ['an empty page', { meta: { result_count: 0 } }, 200, /unknown format/],
])('%s is an upstream_error without ids of the operator’s account', async (_name, body, status, message) => {
  respondWith(body, status)
  const error: Error = await user().then(
    () => new Error('no error'),
    (e) => e,
  )
  expect(error).toMatchObject({ code: 'upstream_error', message: expect.stringMatching(message) })
  expect(error.message).not.toMatch(/\d{6,}|bearer/i)
})

test('an unknown path is a 404 without a body', async () => {
  respond = () => ({ status: 404 })
  await expect(user()).rejects.toMatchObject({ message: 'There is no user ada, or it was deleted.' })
})

test('the end of a rate limit is an epoch, and one in the past is ignored', async () => {
  const at = (seconds: number) => ({ 'x-rate-limit-reset': String(Math.floor(Date.now() / 1000) + seconds) })
  respondWith({ title: 'Too Many Requests' }, 429, at(600))
  const error: { retryAfter?: number } = await user().then(
    () => ({}),
    (e) => e,
  )
  expect(error.retryAfter).toBeGreaterThanOrEqual(598)
  expect(error.retryAfter).toBeLessThanOrEqual(600)
  expect(requests).toHaveLength(1)
  respondWith({ title: 'Too Many Requests' }, 429, at(-600))
  await expect(user()).rejects.toMatchObject({ retryAfter: 60 })
  expect(requests).toHaveLength(3)
})

test('an exhausted quota is not retried', async () => {
  respondWith({ title: 'UsageCapExceeded', type: `${PROBLEMS}/usage-capped`, account_id: 1234567890 }, 429)
  await expect(user()).rejects.toMatchObject({ message: expect.stringMatching(/no quota left/), retryAfter: undefined })
  expect(requests).toHaveLength(1)
})

test('truncated JSON is an upstream_error', async () => {
  respond = () => ({ body: '{"data": {"id": "1"' })
  await expect(user()).rejects.toMatchObject({ code: 'upstream_error', message: expect.stringMatching(/invalid JSON/) })
})
