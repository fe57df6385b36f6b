import { expect, test } from 'vitest'
import { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { toolResult } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import { videositeSearch } from './videosite_search'

withSandboxProviders()

const search = async (params: object) => List.parse(await toolResult(videositeSearch, params))

const List = z.object({
  rows: z.array(z.looseObject({ videoId: z.string(), title: z.string() })),
  nextCursor: z.null(),
})

test('the best matches come first, ten by default, and there is no next page', async () => {
  const { rows, nextCursor } = await search({ query: 'tide table' })
  expect(rows).toHaveLength(10)
  expect(nextCursor).toBeNull()
  const id = rows[0]?.videoId
  expect(rows[0]).toEqual({
    videoId: expect.stringMatching(/^[\w-]{11}$/),
    url: `https://www.youtube.com/watch?v=${id}`,
    title: expect.stringMatching(/tide table/i),
    description: expect.stringMatching(/ \.\.\.$/),
    channel: { id: expect.stringMatching(/^UC.{22}$/), name: expect.stringMatching(/\w/) },
    viewCount: expect.any(Number),
    durationSeconds: expect.any(Number),
    publishedAt: null,
    publishedText: expect.stringMatching(/ ago$/),
    isLive: false,
    thumbnail: `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
  })
})

test('more results than one page of the provider come from several, each video once', async () => {
  const { rows } = await search({ query: 'bread', limit: 50 })
  expect(rows).toHaveLength(50)
  expect(new Set(rows.map((r) => r.videoId)).size).toBe(50)
})

test('shelves and advertisements are not results, a video of the newer form is one', async () => {
  const { rows } = await search({ query: 'zzz', limit: 20 })
  expect(rows.map((r) => r.videoId)).not.toContain('sandbox0070')
  expect(rows[7]).toMatchObject({
    channel: { id: null, name: expect.any(String) },
    viewCount: expect.any(Number),
    durationSeconds: expect.any(Number),
    publishedText: expect.stringMatching(/ ago$/),
  })
})

test('a stream has neither length nor views', async () => {
  const found = await Promise.all(['moon', 'bread', 'sea'].map((query) => search({ query, limit: 50 })))
  const live = found.flatMap(({ rows }) => rows).filter((row) => row.isLive)
  expect(live.length).toBeGreaterThan(0)
  for (const row of live) expect(row).toMatchObject({ viewCount: null, durationSeconds: null })
})

test('no match is an empty list', async () => {
  expect(await search({ query: 'sandbox-empty' })).toMatchObject({ rows: [], nextCursor: null })
})

test('language and country are accepted', async () => {
  expect((await search({ query: 'pan', lang: 'es', country: 'es', limit: 3 })).rows).toHaveLength(3)
})

test.each([
  ['sandbox-429', /Try again in 60 seconds/],
  ['sandbox-500', /returned an error/],
  ['sandbox-html', /invalid JSON/],
  ['sandbox-json', /unknown format/],
])('%s becomes an upstream_error', async (query, message) => {
  await expect(search({ query })).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringMatching(message),
  })
})

test.each([
  {},
  { query: '' },
  { query: ' ' },
  { query: 'x'.repeat(501) },
  { query: 'x', limit: 51 },
  { query: 'x', limit: 0 },
  { query: 'x', limit: 2.5 },
  { query: 'x', limit: '10' },
  { query: 'x', lang: 'english' },
  { query: 'x', orderBy: 'relevance' },
  { query: 'x', country: 'usa' },
  { query: 'x', page: 2 },
])('refuses %j', (params) => {
  expect(videositeSearch.params.safeParse(params).success).toBe(false)
})

test('lists its parameters as the contract has them', () => {
  expect(describeParams(videositeSearch)).toMatchObject([
    { name: 'query', type: 'string', required: true },
    {
      name: 'limit',
      type: 'number',
      required: true,
      description: expect.stringMatching(/Default 10, from 1 to 50\.$/),
    },
    { name: 'lang', type: 'string', required: false },
    {
      name: 'orderBy',
      type: '"last_hour" | "today" | "this_week" | "this_month" | "this_year"',
      required: false,
    },
    { name: 'country', type: 'string', required: false },
  ])
})
