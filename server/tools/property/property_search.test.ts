import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { runToolUnbilled, toolFailureOf } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import { propertySearch } from './property_search'

withSandboxProviders()

/** 620 advertisements. */
const params = { locationId: '0-EU-ES-90', locationName: 'Alboraya', location: 'es', operation: 'sale' }

const Page = z.object({
  rows: z.array(z.looseObject({ propertyId: z.string(), price: z.number() })),
  totalRows: z.int(),
  nextCursor: z.string().nullable(),
  stoppedBecause: z.string().nullable(),
})
const search = async (changed: object = {}) =>
  Page.parse((await runToolUnbilled(propertySearch, { ...params, ...changed })).result)

test('a search returns 40 rows, the total and the next page', async () => {
  const { rows, ...rest } = await search()
  expect(rows).toHaveLength(40)
  expect(rest).toEqual({ totalRows: 620, nextCursor: '2', stoppedBecause: null })
  expect(rows[0]).toMatchObject({
    currency: 'EUR',
    contactType: 'professional',
    micrositeShortName: 'casas-del-puerto',
    formerPrice: expect.any(Number),
    priceDroppedAt: '2025-01-01T00:00:00.000Z',
    images: [expect.stringMatching(/^http/)],
  })
  expect(rows[4]).toMatchObject({
    contactType: 'private',
    district: null,
    floor: 'bj',
    images: [],
    micrositeShortName: null,
  })
})

test.each([
  [480, [480, 140]],
  [80, [80, 80, 80, 80, 80, 80, 80, 60]],
])('following nextCursor with maxResults %i visits every row once and ends', async (maxResults, lengths) => {
  const seen: string[] = []
  const found: number[] = []
  let cursor: string | null = '1'
  while (cursor !== null) {
    const { rows, nextCursor } = await search({ maxResults, startPage: Number(cursor) })
    found.push(rows.length)
    seen.push(...rows.map((row) => row.propertyId))
    expect(found.length).toBeLessThan(20)
    cursor = nextCursor
  }
  expect(found).toEqual(lengths)
  expect(new Set(seen).size).toBe(620)
  expect(seen).toHaveLength(620)
})

test('a page used in part is the next page: rows repeat, but none is lost', async () => {
  const first = await search({ maxResults: 50 })
  expect(first.rows).toHaveLength(50)
  expect(first.nextCursor).toBe('2')
  const second = await search({ maxResults: 50, startPage: 2 })
  expect(second.rows[0]?.propertyId).toBe(first.rows[40]?.propertyId)
})

test('a page past the end is empty and has no next one', async () => {
  expect(await search({ startPage: 99 })).toMatchObject({ rows: [], nextCursor: null })
})

test('no match is an empty list', async () => {
  expect(await search({ locationName: 'sandbox-empty' })).toEqual({
    rows: [],
    totalRows: 0,
    nextCursor: null,
    stoppedBecause: null,
  })
})

test('when a later page fails the rows so far are the result, with the reason and the page to continue with', async () => {
  const { rows, nextCursor, stoppedBecause } = await search({ locationName: 'sandbox-breaks', maxResults: 200 })
  expect(rows).toHaveLength(80)
  expect(nextCursor).toBe('3')
  expect(stoppedBecause).toMatch(/returned an error/)
})

test('when the first page fails the call fails', async () => {
  const run = search({ locationName: 'sandbox-breaks', startPage: 3 })
  expect((await toolFailureOf(run)).message).toMatch(/returned an error/)
})

test('filters and order reach the provider', async () => {
  const { rows, totalRows } = await search({ minPrice: 200_000, maxPrice: 300_000, order: 'lowestprice' })
  expect(totalRows).toBeLessThan(620)
  const prices = rows.map((row) => row.price)
  expect(prices).toEqual([...prices].sort((a, b) => a - b))
  expect(Math.min(...prices)).toBeGreaterThanOrEqual(200_000)
  expect(Math.max(...prices)).toBeLessThanOrEqual(300_000)
})

describe('refuses', () => {
  test.each([
    { locationId: undefined },
    { locationName: undefined },
    { locationName: 'Madrid (Centro)' },
    { locationName: 'Madrid)' },
    { locationName: '' },
    { location: undefined },
    { location: 'fr' },
    { operation: undefined },
    { operation: 'share' },
    { propertyType: 'premises' },
    { maxResults: 0 },
    { maxResults: 481 },
    { maxResults: 10.5 },
    { startPage: 0 },
    { order: 'highestfloors' },
    { locale: 'sv' },
    { minPrice: -1 },
    { minPrice: '1' },
    { minPrice: 2, maxPrice: 1 },
    { minSize: 2, maxSize: 1 },
    { bedrooms: [5] },
    { bedrooms: ['1'] },
    { bedrooms: 2 },
    { elevator: 'true' },
    { furnished: 'furnished' },
    { operation: 'rent', furnished: 'no' },
    { sinceDate: 'T' },
    { operation: 'rent', sinceDate: 'Y' },
    { sinceDate: 'D' },
    { propertyType: 'rooms' },
    { propertyType: 'garages', bedrooms: [1] },
    { propertyType: 'newhomes', minSize: 10 },
    { propertyType: 'lands', elevator: true },
  ])('%j', (changed) => {
    expect(propertySearch.params.safeParse({ ...params, ...changed }).success).toBe(false)
  })
})

test.each([
  { sinceDate: 'Y' },
  { operation: 'rent', sinceDate: 'T' },
  { operation: 'rent', furnished: 'furnishedKitchen' },
  { operation: 'rent', propertyType: 'rooms' },
  { propertyType: 'lands', elevator: false, bedrooms: [] },
  { bedrooms: [0, 1, 2, 3, 4] },
  { minPrice: 0, maxPrice: 0 },
])('accepts %j', (changed) => {
  expect(propertySearch.params.safeParse({ ...params, ...changed }).error).toBeUndefined()
})

test('lists its parameters as the contract has them', () => {
  const listed = describeParams(propertySearch)
  expect(listed.filter((p) => p.required).map((p) => p.name)).toEqual([
    'locationId',
    'locationName',
    'location',
    'operation',
  ])
  expect(Object.fromEntries(listed.map((p) => [p.name, p.type]))).toMatchObject({
    maxResults: 'integer',
    startPage: 'integer',
    minPrice: 'number',
    bedrooms: 'integer[]',
    elevator: 'boolean',
    sinceDate: '"T" | "Y" | "W" | "M"',
    bankOffer: 'boolean',
  })
  expect(listed.find((p) => p.name === 'maxResults')?.description).toMatch(/Default 40, from 1 to 480\.$/)
})
