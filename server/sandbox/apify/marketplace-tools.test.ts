import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { toolFailureOf, toolResult } from '../../../tests/support/run-tool'
import { marketplaceActorDetails } from '../../tools/marketplace/marketplace_actor_details'
import { marketplaceRunActor } from '../../tools/marketplace/marketplace_run_actor'
import { marketplaceSearchActors } from '../../tools/marketplace/marketplace_search_actors'

const sandbox = withSandboxProviders()

const Actor = z.looseObject({
  actorId: z.string(),
  name: z.string(),
  title: z.string(),
  categories: z.array(z.string()),
  pricing: z.looseObject({ pricePerItemUsd: z.number() }),
})
const Found = z.object({ rows: z.array(Actor), totalRows: z.int(), nextCursor: z.null() })
const Details = Actor.extend({
  inputSchema: z.looseObject({ required: z.array(z.string()), properties: z.looseObject({}) }),
  exampleInput: z.record(z.string(), z.unknown()),
})
const Run = z.looseObject({ rows: z.array(z.looseObject({})), run: z.looseObject({ costUsd: z.number() }) })

const search = async (query: string, changed: object = {}) =>
  Found.parse(await toolResult(marketplaceSearchActors, { query, ...changed }))
const details = async (actorId: string) => Details.parse(await toolResult(marketplaceActorDetails, { actorId }))
const run = async (actorId: string, input: object, changed: object = {}) =>
  Run.parse(await toolResult(marketplaceRunActor, { actorId, input, ...changed }))

describe('a search', () => {
  test.each([
    ['google maps restaurants', 'google maps'],
    ['amazon prices', 'amazon'],
    ['scrape instagram hashtags', 'instagram'],
    ['jobs on indeed', 'indeed'],
    ['lighthouse keepers', 'lighthouse'],
    ['cafés em Lisboa', 'lisboa'],
  ])('for “%s” finds eight actors about it', async (query, words) => {
    const { rows, totalRows } = await search(query)
    expect(rows).toHaveLength(8)
    expect(totalRows).toBeGreaterThanOrEqual(8)
    expect(new Set(rows.map(({ actorId }) => actorId)).size).toBe(8)
    for (const { title, name } of rows) expect(`${title} ${name}`.toLowerCase()).toContain(words)
  })

  test.each(['ECOMMERCE', 'SOCIAL_MEDIA', 'AI', 'NEWS', 'JOBS', 'TRAVEL', 'REAL_ESTATE', 'LEAD_GENERATION'])(
    'in the category %s finds only actors of it',
    async (category) => {
      const { rows } = await search('coffee machines', { category, limit: 50 })
      expect(rows.length).toBeGreaterThan(0)
      for (const row of rows) expect(row.categories).toContain(category)
    },
  )

  test('finds nothing in a category that does not exist, and as many as its limit elsewhere', async () => {
    expect((await search('coffee', { category: 'NO_SUCH' })).rows).toEqual([])
    expect((await search('coffee', { limit: 3 })).rows).toHaveLength(3)
  })
})

test('the details of every actor agree with its row, and its example fits its schema', async () => {
  const { rows } = await search('real estate in Porto', { limit: 12 })
  for (const row of rows) {
    const actor = await details(row.actorId)
    const { rating: _r, reviewCount: _c, ...shared } = row
    expect(actor).toMatchObject(shared)
    const { inputSchema: schema } = actor
    const example = Object.keys(actor.exampleInput)
    for (const field of schema.required) expect(example).toContain(field)
    for (const field of example) expect(Object.keys(schema.properties)).toContain(field)
  }
})

describe('a run', () => {
  test.each([
    ['google maps cafes', ['title', 'address', 'totalScore', 'url']],
    ['amazon laptops', ['title', 'price', 'currency', 'url']],
    ['instagram posts', ['username', 'text', 'likes', 'url']],
    ['software jobs', ['title', 'company', 'salaryMin', 'url']],
    ['climate news', ['title', 'source', 'publishedAt', 'url']],
    ['airbnb apartments', ['title', 'price', 'size', 'url']],
    ['hotel reviews', ['author', 'stars', 'text', 'url']],
    ['company emails', ['company', 'email', 'website']],
    ['website content', ['title', 'text', 'url']],
  ])('of the first actor for “%s” has items with %j, at its price', async (query, fields) => {
    const [actor] = (await search(query)).rows
    const { exampleInput } = await details(actor?.actorId ?? '')
    const { rows, run: ran } = await run(actor?.actorId ?? '', exampleInput ?? {}, { maxItems: 10 })
    expect(rows).toHaveLength(10)
    for (const row of rows) for (const field of fields) expect(row[field] ?? '', field).not.toBe('')
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(10)
    expect(ran.costUsd).toBeLessThanOrEqual(20 * Number(actor?.pricing.pricePerItemUsd) + 0.0011)
  })

  test('answers each search of its input, in the place that it names, as often as it wants', async () => {
    const [actor] = (await search('google maps places')).rows
    const input = { searchStringsArray: ['bakeries', 'florists'], locationQuery: 'Évora', maxCrawledPlaces: 6 }
    const { rows } = await run(actor?.actorId ?? '', input)
    expect(rows.map(({ categoryName }) => categoryName)).toEqual([
      'Bakeries',
      'Florists',
      'Bakeries',
      'Florists',
      'Bakeries',
      'Florists',
    ])
    for (const { city } of rows) expect(city).toBe('Évora')
    expect((await run(actor?.actorId ?? '', input)).rows).toEqual(rows)
  })

  test('links to pages that can be read', async () => {
    const [actor] = (await search('news')).rows
    const { rows } = await run(actor?.actorId ?? '', { searchQueries: ['night trains'] }, { maxItems: 3 })
    for (const { url } of rows) {
      expect(String(url)).toMatch(new RegExp(`^${sandbox.url()}/site/`))
      const page = await fetch(String(url))
      expect(page.status).toBe(200)
      expect((await page.text()).toLowerCase()).toContain('night train')
    }
  })

  test('without what its schema requires is refused', async () => {
    const [actor] = (await search('amazon products')).rows
    const failed = run(actor?.actorId ?? '', { limit: 1 })
    expect((await toolFailureOf(failed)).message).toMatch(/Field input\.searchQueries is required/)
  })
})

test.each(['nobody~coffee-product-scraper', 'compassdata~coffee', 'compassdata~product-scraper'])(
  'there is no actor %s',
  async (actorId) => {
    expect((await toolFailureOf(details(actorId))).message).toMatch(/no actor/)
  },
)
