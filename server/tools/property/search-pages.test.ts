import { expect, test } from 'vitest'
import { withProviderAt } from '../../../tests/support/providers'
import { searchPropertyPages } from './search-pages'
import { type PropertyQuery, PropertySearchParams, toListRequest } from './search-params'

const provider = withProviderAt((url) => ({ IDEALISTA_BASE_URL: url, RAPIDAPI_KEY: 'k' }))

const input = (changed: Partial<PropertyQuery> = {}): PropertyQuery =>
  PropertySearchParams.parse({
    locationId: '0-EU-ES-1',
    locationName: 'X',
    location: 'es',
    operation: 'sale',
    ...changed,
  })
const context = () => ({ signal: AbortSignal.timeout(60_000), onSent: () => {}, spent: () => {}, ownerId: 1 })
const ads = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({ propertyCode: String(from + i), price: 1 }))

test.each([
  ['homes', 'listhomes'],
  ['newhomes', 'listnewhomes'],
  ['garages', 'listgarages'],
  ['storagerooms', 'liststoragerooms'],
  ['buildings', 'listbuildings'],
  ['lands', 'listlands'],
  ['offices', 'listoffices'],
  ['commercial', 'listcommercialproperties'],
] as const)('%s are listed at %s', (propertyType, path) => {
  const request = toListRequest(input({ propertyType }), { number: 2, size: 40 })
  expect(request.path).toBe(path)
  expect(request.query).toMatchObject({ operation: 'sale', numPage: '2', maxItems: '40', order: 'relevance' })
})

test('rooms are listed without an operation, and spell terrace differently from homes', () => {
  const rooms = toListRequest(input({ propertyType: 'rooms', operation: 'rent', terrace: true }), {
    number: 1,
    size: 40,
  })
  expect(rooms.path).toBe('listrooms')
  expect(rooms.query).not.toHaveProperty('operation')
  expect(rooms.query).toMatchObject({ terrace: 'true' })
  expect(toListRequest(input({ terrace: true }), { number: 1, size: 40 }).query).toMatchObject({ terrance: 'true' })
})

test('filters have the provider’s names, and false is omitted', () => {
  const { query } = toListRequest(
    input({ bedrooms: [0, 4], garage: true, garden: false, minSize: 50, sinceDate: 'W', bankOffer: true }),
    { number: 1, size: 40 },
  )
  expect(query).toMatchObject({ bedrooms0: 'true', bedrooms4: 'true', garage: 'true', minSize: '50', sinceDate: 'W' })
  expect(query).not.toHaveProperty('garden')
  expect(query).not.toHaveProperty('bedrooms1')
})

test('advertisements that moved between two pages come once', async () => {
  provider.respondWith(({ url }) => ({
    body:
      url.searchParams.get('numPage') === '1'
        ? { elementList: ads(1, 40), total: 79, totalPages: 2 }
        : { elementList: ads(40, 40), total: 79, totalPages: 2 },
  }))
  const { rows, nextPage } = await searchPropertyPages(context(), input({ maxResults: 480 }))
  expect(rows).toHaveLength(79)
  expect(nextPage).toBeNull()
})

test('pages with known rows only are the end, whatever the total says', async () => {
  provider.respondWith({ body: { elementList: ads(1, 2), total: 16_861, totalPages: 563 } })
  expect(await searchPropertyPages(context(), input({ maxResults: 480 }))).toMatchObject({
    nextPage: null,
    stopped: null,
  })
  expect(provider.requests).toHaveLength(2)
})

test('pages shorter than requested are joined all the same', async () => {
  provider.respondWith(({ url }) => ({
    body: { elementList: ads(Number(url.searchParams.get('numPage')) * 30, 30), total: 9000, totalPages: 300 },
  }))
  const { rows, nextPage } = await searchPropertyPages(context(), input({ maxResults: 120 }))
  expect(rows).toHaveLength(120)
  expect(nextPage).toBe(5)
})

test('endless short pages stop at a maximum, and say where to continue', async () => {
  provider.respondWith(({ url }) => ({
    body: { elementList: ads(Number(url.searchParams.get('numPage')), 1), total: 9000 },
  }))
  const { rows, nextPage, stopped } = await searchPropertyPages(context(), input({ maxResults: 480 }))
  expect([rows.length, nextPage]).toEqual([24, 25])
  expect(stopped).toMatch(/shorter/)
})

test('when time runs out no further page is requested', async () => {
  provider.respondWith(({ url }) => ({
    body: { elementList: ads(Number(url.searchParams.get('numPage')) * 40, 40), total: 9000 },
  }))
  const { rows, nextPage, stopped } = await searchPropertyPages(context(), input({ maxResults: 480 }), -1)
  expect([rows.length, nextPage]).toEqual([40, 2])
  expect(stopped).toMatch(/no time/)
})

test('an advertisement without a code is an error', async () => {
  provider.respondWith({ body: { elementList: [{ price: 1 }] } })
  await expect(searchPropertyPages(context(), input())).rejects.toMatchObject({ code: 'upstream_error' })
})
