import { expect, test } from 'vitest'
import type { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { toolResult } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import { microblogSearch } from './microblog_search'
import type { MicroblogPostRow } from './posts'
import type { MicroblogUserRow } from './users'

withSandboxProviders()

type Found<T> = { rows: T[]; users: z.output<typeof MicroblogUserRow>[]; nextCursor: null }
type Posts = Found<z.output<typeof MicroblogPostRow>>
const search = (params: object) => toolResult(microblogSearch, { query: 'tea', ...params })

test('Top, the default, is by relevance', async () => {
  const { rows, nextCursor } = (await search({})) as Posts
  const likes = rows.map((post) => post.likeCount ?? 0)
  expect(likes).toHaveLength(20)
  expect(likes).toEqual([...likes].sort((a, b) => b - a))
  expect(nextCursor).toBeNull()
})

test('Latest is by time', async () => {
  const { rows } = (await search({ searchType: 'Latest' })) as Posts
  const times = rows.map((post) => post.publishedAt ?? '')
  expect(times).toEqual([...times].sort().reverse())
})

test.each([
  ['Photos', 'photo'],
  ['Videos', 'video'],
])('%s have one', async (searchType, type) => {
  const { rows } = (await search({ searchType, limit: 5 })) as Posts
  expect(rows).toHaveLength(5)
  for (const post of rows) expect(post.media.map((m) => m.type)).toContain(type)
})

test('People are the accounts behind the posts, each once', async () => {
  const { rows, users } = (await search({ searchType: 'People', limit: 6 })) as Found<z.output<typeof MicroblogUserRow>>
  expect(rows).toHaveLength(6)
  expect(new Set(rows.map((user) => user.userId)).size).toBe(6)
  expect(rows[0]).toMatchObject({ username: expect.any(String), followerCount: expect.any(Number) })
  expect(users).toEqual([])
})

test('a limit below the provider’s page size cuts the page', async () => {
  expect(((await search({ limit: 3 })) as Posts).rows).toHaveLength(3)
})

test('the site’s filters reach the provider as its operators', async () => {
  const { rows } = (await search({ query: 'from:ada_trains filter:images lang:en', limit: 40 })) as Posts
  expect(rows.length).toBeGreaterThan(5)
  for (const post of rows) expect(post).toMatchObject({ author: 'ada_trains', media: [{ type: 'photo' }] })
})

test('no match is an empty list', async () => {
  expect(await search({ query: 'sandbox_empty' })).toEqual({ rows: [], users: [], nextCursor: null })
})

test.each([
  ['since:2020-01-01', /rejected the parameters: There were errors processing your request: no viable alternative/],
  ['sandbox_402', /no quota left/],
  ['sandbox_html', /invalid JSON/],
])('%s is an upstream_error', async (query, message) => {
  await expect(search({ query })).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringMatching(message),
  })
})

test.each([
  { query: undefined },
  { query: '' },
  { query: 'x'.repeat(4097) },
  { query: 'tea filter:follows' },
  { limit: 0 },
  { limit: 41 },
  { searchType: 'top' },
  { searchType: 'Lists' },
  { cursor: 'x' },
])('refuses %j', (params) => {
  expect(microblogSearch.params.safeParse({ query: 'x', ...params }).success).toBe(false)
})

test('an unsupported filter is refused with a list of the supported ones', () => {
  const { error } = microblogSearch.params.safeParse({ query: 'tea filter:follows' })
  expect(error?.issues[0]?.message).toMatch(/^does not support filter:follows\. It supports: links, media/)
})

test('lists its parameters as the contract has them', () => {
  expect(describeParams(microblogSearch)).toMatchObject([
    { name: 'query', type: 'string', required: true },
    { name: 'limit', type: 'number', required: true },
    {
      name: 'searchType',
      type: '"Top" | "Latest" | "People" | "Photos" | "Videos"',
      required: true,
      description: expect.stringMatching(/Default Top\.$/),
    },
  ])
})
