import { expect, test } from 'vitest'
import { withSandboxProviders } from '../../../tests/support/providers'
import { runToolUnbilled } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import { marketplaceSearchActors } from './marketplace_search_actors'

withSandboxProviders()

const search = (params: object) => runToolUnbilled(marketplaceSearchActors, { query: 'sandbox:actors', ...params })

test('a row has runs, users, rating, success rate and pricing, its text without entities', async () => {
  const { result, spentUsd } = await search({})
  expect(result).toMatchObject({ totalRows: 12, nextCursor: null })
  expect(result.rows).toHaveLength(8)
  expect((result.rows as unknown[])[0]).toEqual({
    actorId: 'places00000000001',
    name: 'tide/places',
    title: 'Places Scraper',
    description: 'Places Scraper & more, made up.',
    url: 'https://apify.com/tide/places',
    categories: ['ECOMMERCE'],
    runCount: 1000,
    userCount: 100,
    userCount30Days: 30,
    successRate30Days: 0.95,
    rating: 4.5,
    reviewCount: 12,
    pricing: {
      model: 'PAY_PER_EVENT',
      summary: 'about $0.004 per item and $0.001 per run',
      pricePerItemUsd: 0.004,
      pricePerStartUsd: 0.001,
      monthlyUsd: null,
      minimumCapUsd: null,
      paysPlatformUsage: false,
      events: [
        { name: 'item', title: 'Item', priceUsd: 0.004, isOneTime: false, isPrimary: true },
        { name: 'start', title: 'Start', priceUsd: 0.001, isOneTime: true, isPrimary: false },
      ],
    },
  })
  expect(spentUsd).toEqual([0])
})

test('every pricing model is described in words, and unknown values are null', async () => {
  const { result } = await search({ limit: 100 })
  const rows = result.rows as {
    name: string
    pricing: { summary: string }
    rating: unknown
    successRate30Days: unknown
  }[]
  expect(rows).toHaveLength(12)
  const of = (name: string) => rows.find((row) => row.name === `tide/${name}`)
  expect(of('prices')?.pricing.summary).toBe('$0.005 per price')
  expect(of('pages')?.pricing.summary).toBe('free, except for platform usage')
  expect(of('rented')?.pricing.summary).toBe('rented for $20 a month, plus platform usage')
  expect(of('pages')?.rating).toBeNull()
  expect(of('empty')?.successRate30Days).toBeNull()
})

test('a category filters the list, whatever its case', async () => {
  expect((await search({ category: 'ai' })).result).toMatchObject({ totalRows: 1, rows: [{ name: 'tide/pages' }] })
})

test('no match is an empty list', async () => {
  const { result } = await search({ query: 'sandbox-empty' })
  expect(result).toEqual({ rows: [], totalRows: 0, nextCursor: null })
})

test.each([
  { query: undefined },
  { query: '' },
  { query: 5 },
  { limit: 0 },
  { limit: 1.5 },
  { limit: '8' },
  { limit: 1001 },
  { category: '' },
  { category: 'A B' },
  { cursor: 'x' },
])('refuses %j', (changed) => {
  expect(marketplaceSearchActors.params.safeParse({ query: 'x', ...changed }).success).toBe(false)
})

test('lists its parameters as the contract has them', () => {
  expect(describeParams(marketplaceSearchActors)).toMatchObject([
    { name: 'query', type: 'string', required: true },
    { name: 'category', type: 'string', required: false },
    { name: 'limit', type: 'integer', required: false, description: expect.stringMatching(/Default 8/) },
  ])
})
