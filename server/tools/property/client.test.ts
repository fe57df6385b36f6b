import { expect, test } from 'vitest'
import { withProviderAt } from '../../../tests/support/providers'
import { runToolUnbilled, toolFailureOf } from '../../../tests/support/run-tool'
import { propertyAgencyLocations } from './property_agency_locations'
import { propertyAgencyProfile } from './property_agency_profile'
import { propertyDetails } from './property_details'
import { propertyLocations } from './property_locations'
import { propertySearch } from './property_search'
import { propertySuggestions } from './property_suggestions'
import { propertySettings } from './settings'

const provider = withProviderAt((url) => ({ IDEALISTA_BASE_URL: url, RAPIDAPI_KEY: 'a-secret' }))

const CALLS = [
  { tool: propertySuggestions, params: { prefix: 'x', location: 'es' } },
  {
    tool: propertySearch,
    params: { locationId: '0-EU-ES-1', locationName: 'X', location: 'es', operation: 'sale' },
  },
  { tool: propertyDetails, params: { propertyId: '1', location: 'es' } },
  { tool: propertyLocations, params: { locationId: '0-EU-ES-1', location: 'es' } },
  { tool: propertyAgencyProfile, params: { micrositeShortName: 'x', location: 'es' } },
  {
    tool: propertyAgencyLocations,
    params: { micrositeShortName: 'x', location: 'es', locationId: '0-EU-ES-1', operation: 'sale' },
  },
].map((call) => ({ id: call.tool.id, ...call }))

const FAILURES: [string, { status?: number; headers?: Record<string, string>; body: unknown }, RegExp][] = [
  ['a wrong key', { status: 401, body: { message: 'Invalid API key.' } }, /denied access to this gateway/],
  [
    'no subscription',
    { status: 403, body: { message: 'You are not subscribed to this API.' } },
    /Contact the operator/,
  ],
  [
    'a path it lost',
    { status: 404, body: { message: "Endpoint '/x' does not exist" } },
    /denied access to this gateway/,
  ],
  [
    'a month used up',
    {
      status: 429,
      headers: { 'x-ratelimit-requests-reset': '500' },
      body: { message: 'You have exceeded the MONTHLY quota for Requests on your current plan' },
    },
    /no requests left/,
  ],
  ['a 200 that is an error', { body: { message: 'Forbidden', httpStatus: 403 } }, /was refused by its own source/],
  ['a 200 with a message alone', { body: { message: 'Oops' } }, /returned an error/],
  ['a page of HTML', { body: '<!doctype html><title>x</title>' }, /invalid JSON/],
  ['an array', { body: [] }, /unknown format/],
  ['null', { body: 'null' }, /unknown format/],
  ['nothing', { body: '' }, /invalid JSON/],
  ['a broken JSON', { body: '{"locations": [' }, /invalid JSON/],
  [
    'lists that are no lists',
    { body: { locations: 1, elementList: 1, provinces: 1, multimedia: 1 } },
    /unknown form|no agency/,
  ],
]

test.each(CALLS.flatMap((call) => FAILURES.map(([what, reply, message]) => ({ ...call, what, reply, message }))))(
  '$id returns a helpful message for $what',
  async ({ tool, params, reply, message }) => {
    provider.respondWith(reply)
    const error = await toolFailureOf(runToolUnbilled(tool, params))
    expect(error.code).toBe('upstream_error')
    expect(error.message).toMatch(message)
    expect(provider.requests).toHaveLength(1)
  },
)

test.each(CALLS)(
  '$id sends the key and the name of the API in headers, and no key in the URL',
  async ({ tool, params }) => {
    provider.respondWith({ status: 404, body: {} })
    await toolFailureOf(runToolUnbilled(tool, params))
    expect(provider.requests[0]?.headers).toMatchObject({
      'x-rapidapi-key': 'a-secret',
      'x-rapidapi-host': 'idealista7.p.rapidapi.com',
    })
    expect(provider.requests[0]?.url.href).not.toContain('a-secret')
  },
)

test('an exhausted quota is not retried, and says when it is renewed', async () => {
  provider.respondWith({
    status: 429,
    headers: { 'x-ratelimit-requests-reset': '500' },
    body: { message: 'MONTHLY quota' },
  })
  const error = await toolFailureOf(runToolUnbilled(propertySuggestions, { prefix: 'x', location: 'es' }))
  expect(error.retryAfter).toBe(500)
  expect(provider.requests).toHaveLength(1)
})

test('too many requests per second are retried', async () => {
  let calls = 0
  provider.respondWith(() => {
    calls++
    return calls === 1
      ? { status: 429, headers: { 'retry-after': '0' }, body: { message: 'rate limit per second' } }
      : { body: { locations: [] } }
  })
  expect((await runToolUnbilled(propertySuggestions, { prefix: 'x', location: 'es' })).result.rows).toEqual([])
  expect(provider.requests).toHaveLength(2)
})

test('an error of the provider is retried, then reported', async () => {
  provider.respondWith({ status: 502, headers: { 'retry-after': '0' }, body: { messages: 'The API is unreachable' } })
  const error = await toolFailureOf(runToolUnbilled(propertySuggestions, { prefix: 'x', location: 'es' }))
  expect(error.message).toMatch(/returned an error \(HTTP 502\)/)
  expect(provider.requests).toHaveLength(3)
})

test('without a key no tool is available', () => {
  const { RAPIDAPI_KEY } = propertySettings()
  expect(CALLS.every(({ tool }) => tool.available())).toBe(true)
  Object.assign(propertySettings(), { RAPIDAPI_KEY: undefined })
  expect(CALLS.some(({ tool }) => tool.available())).toBe(false)
  Object.assign(propertySettings(), { RAPIDAPI_KEY })
})
