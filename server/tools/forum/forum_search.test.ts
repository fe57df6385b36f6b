import { expect, test } from 'vitest'
import type { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { allPages, toolResult } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import { forumSearch } from './forum_search'
import type { ForumPostPage } from './posts'

withSandboxProviders()

const search = async (params: object) => (await toolResult(forumSearch, params)) as z.output<typeof ForumPostPage>

test('the best matches come first, 25 to a page, and both cursors name the next page', async () => {
  const { rows, nextCursor, after } = await search({ query: 'rye starter' })
  expect(rows).toHaveLength(25)
  expect(rows[0]).toMatchObject({
    postId: expect.stringMatching(/^[a-z0-9]+$/),
    title: expect.stringMatching(/rye starter/i),
    publishedAt: expect.stringMatching(/Z$/),
    url: expect.stringMatching(/^https:\/\/www\.reddit\.com\/r\//),
  })
  expect(nextCursor).toMatch(/^t3_/)
  expect(after).toBe(nextCursor)
})

test('following nextCursor returns every post once and ends with null', async () => {
  const ids = (await allPages((after) => search({ query: 'night trains', limit: 20, after })))
    .flat()
    .map((post) => post.postId)
  expect(ids.length).toBeGreaterThan(60)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a community limits the search', async () => {
  const { rows } = await search({ query: 'x', community: 'r/bread', limit: 3 })
  expect(rows.map((post) => post.community)).toEqual(['bread', 'bread', 'bread'])
})

test('no match is an empty page', async () => {
  expect(await search({ query: 'sandbox:empty' })).toEqual({ rows: [], nextCursor: null, after: null })
})

test('deleted authors are null, text stays as written', async () => {
  const { rows } = await search({ query: 'tea', limit: 100 })
  expect(rows.some((post) => post.author === null)).toBe(true)
  expect(rows.some((post) => post.text.includes('Notes & numbers'))).toBe(true)
  expect(rows.some((post) => post.text.includes('this sub <3'))).toBe(true)
})

test.each([
  ['sandbox:429', { retryAfter: 61, message: expect.stringMatching(/Try again in 61 seconds/) }],
  ['sandbox:500', { message: expect.stringMatching(/returned an error/) }],
  ['sandbox:html', { message: expect.stringMatching(/invalid JSON/) }],
])('%s becomes an upstream_error', async (query, error) => {
  await expect(search({ query })).rejects.toMatchObject({ code: 'upstream_error', ...error })
})

test.each([
  {},
  { query: '' },
  { query: ' ' },
  { query: 'x'.repeat(513) },
  { query: 'x', community: '../user' },
  { query: 'x', community: 'a+b' },
  { query: 'x', sort: 'rising' },
  { query: 'x', time: 'decade' },
  { query: 'x', limit: 0 },
  { query: 'x', limit: 101 },
  { query: 'x', limit: 2.5 },
  { query: 'x', limit: '25' },
  { query: 'x', after: '&limit=9' },
  { query: 'x', page: 2 },
])('refuses %j', (params) => {
  expect(forumSearch.params.safeParse(params).success).toBe(false)
})

test('lists its parameters as the contract has them', () => {
  expect(describeParams(forumSearch).map(({ name, type, required }) => [name, type, required])).toEqual([
    ['query', 'string', true],
    ['community', 'string', false],
    ['sort', '"relevance" | "hot" | "top" | "new" | "comments"', false],
    ['time', '"hour" | "day" | "week" | "month" | "year" | "all"', false],
    ['limit', 'number', false],
    ['after', 'string', false],
    ['cursor', 'string', false],
  ])
})
