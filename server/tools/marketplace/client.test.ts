import { expect, test } from 'vitest'
import { type ScriptedReply, withProviderAt } from '../../../tests/support/providers'
import { runToolUnbilled, toolFailureOf } from '../../../tests/support/run-tool'
import { marketplaceActorDetails } from './marketplace_actor_details'
import { marketplaceRunActor } from './marketplace_run_actor'
import { marketplaceSearchActors } from './marketplace_search_actors'
import { marketplaceSettings } from './settings'

const provider = withProviderAt((url) => ({ APIFY_BASE_URL: url, APIFY_TOKEN: 'a-secret' }))

const CALLS = [
  { tool: marketplaceSearchActors, params: { query: 'x' } },
  { tool: marketplaceActorDetails, params: { actorId: 'unread' } },
  { tool: marketplaceRunActor, params: { actorId: 'unread', input: {} } },
].map((call) => ({ id: call.tool.id, ...call }))

const error = (status: number, type: string, message = 'Some words.'): ScriptedReply => ({
  status,
  body: { error: { type, message } },
})

const FAILURES: [string, ScriptedReply, RegExp][] = [
  [
    'a wrong key',
    error(401, 'invalid-token', 'Authentication token a-secret is not valid.'),
    /denied access to this gateway/,
  ],
  ['no permission', error(403, 'insufficient-permissions'), /does not let this gateway/],
  ['a rented actor', error(403, 'actor-is-not-rented'), /must be rented/],
  ['a used-up account', error(402, 'not-enough-usage-to-run-paid-actor'), /has no quota left for this gateway/],
  ['a page of HTML', { headers: { 'content-type': 'text/html' }, body: '<!doctype html>' }, /unknown format/],
  ['nothing', { body: '' }, /unknown format/],
  ['null', { body: 'null' }, /unknown format/],
  ['an array', { body: [] }, /unknown format/],
  ['data of another format', { body: { data: { id: 5, items: {} } } }, /unknown format/],
  ['truncated JSON', { body: '{"data": {' }, /unknown format/],
]

test.each(CALLS.flatMap((call) => FAILURES.map(([what, reply, message]) => ({ ...call, what, reply, message }))))(
  '$id returns a helpful message for $what',
  async ({ tool, params, reply, message }) => {
    provider.respondWith(reply)
    const failure = await toolFailureOf(runToolUnbilled(tool, params))
    expect(failure.code).toBe('upstream_error')
    expect(failure.message).toMatch(message)
    expect(provider.requests).toHaveLength(1)
  },
)

test('the key is in its header, and not in the URL', async () => {
  provider.respondWith({ body: { data: { items: [], total: 0 } } })
  await runToolUnbilled(marketplaceSearchActors, { query: 'x y', category: 'NEWS' })
  expect(provider.requests[0]?.headers.authorization).toBe('Bearer a-secret')
  expect(provider.requests[0]?.url.pathname).toBe('/v2/store')
  expect(Object.fromEntries(provider.requests[0]?.url.searchParams ?? [])).toEqual({
    search: 'x y',
    category: 'NEWS',
    limit: '8',
    sortBy: 'relevance',
  })
})

test('an error of the provider is retried by this gateway, and not eight times by its client', async () => {
  provider.respondWith({ ...error(500, 'internal-server-error'), headers: { 'retry-after': '0' } })
  expect((await toolFailureOf(runToolUnbilled(marketplaceSearchActors, { query: 'x' }))).message).toMatch(/HTTP 500/)
  expect(provider.requests).toHaveLength(3)
})

test('a run is never started twice: an error at its start is final', async () => {
  provider.respondWith(({ method }) =>
    method === 'POST' ? error(503, 'x') : { body: { data: { id: 'once1', name: 'once' } } },
  )
  const large = { text: 'x'.repeat(5_000) }
  await toolFailureOf(runToolUnbilled(marketplaceRunActor, { actorId: 'once1', input: large, maxItems: 3 }))
  const posts = provider.requests.filter(({ method }) => method === 'POST')
  expect(posts).toHaveLength(1)
  expect(JSON.parse(posts[0]?.body ?? '')).toEqual(large)
  expect(posts[0]?.url.pathname).toBe('/v2/actors/once1/runs')
  expect(posts[0]?.url.searchParams.get('maxItems')).toBe('3')
  expect(posts[0]?.url.searchParams.get('timeout')).toBe('240')
})

test('an input that the actor refuses is reported in its words', async () => {
  provider.respondWith(({ method }) =>
    method === 'POST'
      ? error(400, 'invalid-input', 'Input is not valid: Field input.q is required')
      : { body: { data: { id: 'input1', name: 'input' } } },
  )
  const failure = await toolFailureOf(runToolUnbilled(marketplaceRunActor, { actorId: 'input1', input: {} }))
  expect(failure.message).toMatch(/rejected the call: Input is not valid: Field input\.q is required\.$/)
})

test('without a token no tool is available', () => {
  const { APIFY_TOKEN } = marketplaceSettings()
  expect(CALLS.every(({ tool }) => tool.available())).toBe(true)
  Object.assign(marketplaceSettings(), { APIFY_TOKEN: undefined })
  expect(CALLS.some(({ tool }) => tool.available())).toBe(false)
  Object.assign(marketplaceSettings(), { APIFY_TOKEN })
})
