import { describe, expect, test } from 'vitest'
import { withProviderAt } from '../../../tests/support/providers'
import { runToolUnbilled, toolFailureOf } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import { propertySuggestions } from './property_suggestions'

const provider = withProviderAt((url) => ({ IDEALISTA_BASE_URL: url, RAPIDAPI_KEY: 'k' }))

const madeUp = {
  name: 'Centro (Casco), Puerto Claro',
  locationId: '0-EU-ES-90-01',
  divisible: true,
  type: 'location',
  suggestedLocationId: 10,
  subTypeText: 'Distrito',
  total: 7,
}

test('a row has ids as strings, the clean name, and what is unknown as null', async () => {
  provider.respondWith({ body: { locations: [madeUp, { name: 'Bare', locationId: '0-EU-ES-91' }], total: 2 } })
  const { result } = await runToolUnbilled(propertySuggestions, { prefix: 'cen', location: 'es' })
  expect(result).toEqual({
    rows: [
      {
        locationId: '0-EU-ES-90-01',
        name: 'Centro (Casco), Puerto Claro',
        locationName: 'Centro, Puerto Claro',
        divisible: true,
        level: 'Distrito',
        suggestedLocationId: '10',
        listingCount: 7,
      },
      {
        locationId: '0-EU-ES-91',
        name: 'Bare',
        locationName: 'Bare',
        divisible: false,
        level: null,
        suggestedLocationId: null,
        listingCount: null,
      },
    ],
    totalRows: 2,
    nextCursor: null,
  })
})

test.each([{ locations: [] }, { locations: null, total: 0 }, { total: 0 }])(
  'nothing found as %j is an empty list',
  async (body) => {
    provider.respondWith({ body })
    const { result } = await runToolUnbilled(propertySuggestions, { prefix: 'zzz', location: 'pt' })
    expect(result).toEqual({ rows: [], totalRows: 0, nextCursor: null })
  },
)

test('the defaults are homes for sale; bedrooms are requested for rent, where they are counted', async () => {
  provider.respondWith({ body: { locations: [] } })
  await runToolUnbilled(propertySuggestions, { prefix: 'a b&c', location: 'it' })
  await runToolUnbilled(propertySuggestions, { prefix: 'a', location: 'it', propertyType: 'bedrooms' })
  const queries = provider.requests.map(({ url }) => Object.fromEntries(url.searchParams))
  expect(provider.requests[0]?.url.pathname).toBe('/getsuggestions')
  expect(queries).toEqual([
    { prefix: 'a b&c', location: 'it', propertyType: 'homes', operation: 'sale' },
    { prefix: 'a', location: 'it', propertyType: 'bedrooms', operation: 'rent' },
  ])
})

test.each([{ locations: [{ name: 'x' }] }, { total: 16_861 }, {}])(
  '%j is an error, not an empty list',
  async (body) => {
    provider.respondWith({ body })
    expect(
      (await toolFailureOf(runToolUnbilled(propertySuggestions, { prefix: 'x', location: 'es' }))).message,
    ).toMatch(/unknown format/)
  },
)

describe('refuses', () => {
  test.each([
    {},
    { prefix: '' },
    { prefix: ' ' },
    { prefix: 1 },
    { location: undefined },
    { location: 'fr' },
    { location: 'ES' },
    { propertyType: 'rooms' },
    { operation: 'buy' },
    { locale: 'en' },
  ])('%j', (changed) => {
    const params = Object.keys(changed).length === 0 ? {} : { prefix: 'x', location: 'es', ...changed }
    expect(propertySuggestions.params.safeParse(params).success).toBe(false)
  })
})

test('lists its parameters as the contract has them', () => {
  expect(describeParams(propertySuggestions).map(({ name, type, required }) => [name, type, required])).toEqual([
    ['prefix', 'string', true],
    ['location', '"es" | "pt" | "it"', true],
    ['propertyType', '"homes" | "offices" | "premises" | "garages" | "bedrooms" | "newDevelopments" | "land"', false],
    ['operation', '"sale" | "rent"', false],
  ])
})
