import { expect, test } from 'vitest'
import type { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { allPages, toolResult } from '../../../tests/support/run-tool'
import { forumCommunity } from './forum_community'
import type { ForumPostPage } from './posts'

withSandboxProviders()

const list = async (params: object) => (await toolResult(forumCommunity, params)) as z.output<typeof ForumPostPage>

test('hot begins with the pinned posts, within the limit', async () => {
  const { rows } = await list({ community: 'sailing', limit: 5 })
  expect(rows.map((post) => post.isPinned)).toEqual([true, true, false, false, false])
})

test.each([7, 25, 100])('pages of %i return every post that is not pinned once', async (limit) => {
  const pages = await allPages((after) => list({ community: 'sailing', limit, after }))
  for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit)
  const ids = pages
    .flat()
    .filter((post) => !post.isPinned)
    .map((post) => post.postId)
  expect(ids.length).toBeGreaterThan(100)
  expect(new Set(ids).size).toBe(ids.length)
})

test('an empty community is an empty page', async () => {
  expect(await list({ community: 'sandbox_empty' })).toEqual({ rows: [], nextCursor: null, after: null })
})

test.each([
  ['sandbox_404', 'There is no community sandbox_404, or it was deleted.'],
  ['sandbox_private', 'The community sandbox_private is private.'],
  ['sandbox_ban', 'The community sandbox_ban is banned.'],
  ['sandbox_html', 'The forum provider sent invalid JSON.'],
  ['sandbox_401', 'The forum provider denied access to this gateway (HTTP 401). Contact the operator.'],
])('%s is an upstream_error with the reason', async (community, message) => {
  await expect(list({ community })).rejects.toMatchObject({ code: 'upstream_error', message })
})

test.each([
  {},
  { community: '' },
  { community: 'a' },
  { community: 'two words' },
  { community: 'https://www.reddit.com/r/bread' },
  { community: 'bread/../../api' },
  { community: 'bread', sort: 'best' },
  { community: 'bread', time: '' },
  { community: 'bread', limit: 101 },
  { community: 'bread', after: '' },
  { community: 'bread', query: 'x' },
])('refuses %j', (params) => {
  expect(forumCommunity.params.safeParse(params).success).toBe(false)
})
