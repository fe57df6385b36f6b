import { expect, test } from 'vitest'
import { runToolUnbilled, type ScriptedReply, toolFailureOf, withProviderAt } from '../../../tests/support/tool-runs'
import { marketplaceActorDetails } from './marketplace_actor_details'
import { marketplaceRunActor } from './marketplace_run_actor'
import { marketplaceSearchActors } from './marketplace_search_actors'
import { marketplaceSettings } from './settings'

const vendor = withProviderAt((url) => ({ APIFY_BASE_URL: url, APIFY_TOKEN: 'a-secret' }))

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
  ['no money of ours', error(402, 'not-enough-usage-to-run-paid-actor'), /has no quota left for this gateway/],
  ['a page of HTML', { headers: { 'content-type': 'text/html' }, body: '<!doctype html>' }, /unknown format/],
  ['nothing', { body: '' }, /unknown format/],
  ['null', { body: 'null' }, /unknown format/],
  ['an array', { body: [] }, /unknown format/],
  ['data that is something else', { body: { data: { id: 5, items: {} } } }, /unknown format/],
  ['half a JSON', { body: '{"data": {' }, /unknown format/],
]

test.each(CALLS.flatMap((call) => FAILURES.map(([what, reply, says]) => ({ ...call, what, reply, says }))))(
  '$id answers $what of the vendor with a message that helps',
  async ({ tool, params, reply, says }) => {
    vendor.says(reply)
    const failure = await toolFailureOf(runToolUnbilled(tool, params))
    expect(failure.code).toBe('upstream_error')
    expect(failure.message).toMatch(says)
    expect(vendor.asked).toHaveLength(1)
  },
)

test('the key goes into its header, and not into the address', async () => {
  vendor.says({ body: { data: { items: [], total: 0 } } })
  await runToolUnbilled(marketplaceSearchActors, { query: 'x y', category: 'NEWS' })
  expect(vendor.asked[0]?.headers.authorization).toBe('Bearer a-secret')
  expect(vendor.asked[0]?.url.pathname).toBe('/v2/store')
  expect(Object.fromEntries(vendor.asked[0]?.url.searchParams ?? [])).toEqual({
    search: 'x y',
    category: 'NEWS',
    limit: '8',
    sortBy: 'relevance',
  })
})

test('a fault of the vendor is tried again by us alone, not eight times by its client', async () => {
  vendor.says({ ...error(500, 'internal-server-error'), headers: { 'retry-after': '0' } })
  expect((await toolFailureOf(runToolUnbilled(marketplaceSearchActors, { query: 'x' }))).message).toMatch(/HTTP 500/)
  expect(vendor.asked).toHaveLength(3)
})

test('a run is never started twice: a fault while starting is the end', async () => {
  vendor.says((_url, method) =>
    method === 'POST' ? error(503, 'x') : { body: { data: { id: 'once1', name: 'once' } } },
  )
  const large = { text: 'x'.repeat(5_000) }
  await toolFailureOf(runToolUnbilled(marketplaceRunActor, { actorId: 'once1', input: large, maxItems: 3 }))
  const posts = vendor.asked.filter(({ method }) => method === 'POST')
  expect(posts).toHaveLength(1)
  expect(JSON.parse(posts[0]?.body ?? '')).toEqual(large)
  expect(posts[0]?.url.pathname).toBe('/v2/actors/once1/runs')
  expect(posts[0]?.url.searchParams.get('maxItems')).toBe('3')
  expect(posts[0]?.url.searchParams.get('timeout')).toBe('240')
})

test('an input the actor refuses is told in its words', async () => {
  vendor.says((_url, method) =>
    method === 'POST'
      ? error(400, 'invalid-input', 'Input is not valid: Field input.q is required')
      : { body: { data: { id: 'input1', name: 'input' } } },
  )
  const failure = await toolFailureOf(runToolUnbilled(marketplaceRunActor, { actorId: 'input1', input: {} }))
  expect(failure.message).toMatch(/rejected the call: Input is not valid: Field input\.q is required\.$/)
})

test('without a token every tool is off', () => {
  const { APIFY_TOKEN } = marketplaceSettings()
  expect(CALLS.every(({ tool }) => tool.available())).toBe(true)
  Object.assign(marketplaceSettings(), { APIFY_TOKEN: undefined })
  expect(CALLS.some(({ tool }) => tool.available())).toBe(false)
  Object.assign(marketplaceSettings(), { APIFY_TOKEN })
})
