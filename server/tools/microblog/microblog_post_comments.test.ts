import { expect, test } from 'vitest'
import type { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { allPages, toolResult } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import { microblogPostComments } from './microblog_post_comments'
import { microblogSearch } from './microblog_search'
import type { MicroblogPostRow } from './posts'
import type { MicroblogUserRow } from './users'

withSandboxProviders()

/** A post with 33 replies. */
const POST = '2100000000105552640'
type Page = {
  rows: z.output<typeof MicroblogPostRow>[]
  users: z.output<typeof MicroblogUserRow>[]
  nextCursor: string | null
}
const replies = async (params: object) => (await toolResult(microblogPostComments, { postId: POST, ...params })) as Page

test('replies name their parent, and their text is decoded', async () => {
  const { rows, users, nextCursor } = await replies({})
  expect(rows).toHaveLength(20)
  for (const row of rows) {
    expect(row).toMatchObject({ conversationId: POST, text: expect.stringMatching(/^@\w+ /) })
    expect(row.references[0]).toMatchObject({ type: 'reply', text: expect.any(String) })
  }
  const parents = rows.map((row) => row.references[0]?.postId)
  expect(parents).toContain(POST)
  expect(parents.some((id) => rows.some((row) => row.postId === id))).toBe(true)
  expect(users.length).toBeGreaterThan(0)
  expect(nextCursor).not.toBeNull()
})

test.each([4, 10, 25, 40])('pages of %i return every reply once', async (limit) => {
  const pages = await allPages((cursor) => replies({ limit, cursor }))
  const ids = pages.flat().map((post) => post.postId)
  expect(ids).toHaveLength(33)
  expect(new Set(ids).size).toBe(33)
})

test('a reply of a deleted account has no author, and does not fail the page', async () => {
  const found = (await toolResult(microblogSearch, { query: 'tea', limit: 40 })) as Pick<Page, 'rows'>
  const pages = await Promise.all(found.rows.slice(0, 12).map(({ postId }) => replies({ postId, limit: 40 })))
  const page = pages.find(({ rows }) => rows.some((row) => row.author === null))
  const gone = page?.rows.find((row) => row.author === null)
  expect(gone).toMatchObject({ text: expect.any(String), authorId: expect.any(String) })
  expect(page?.users.map((user) => user.userId)).not.toContain(gone?.authorId)
})

test('a post without replies has an empty page', async () => {
  expect(await replies({ postId: '204' })).toEqual({ rows: [], users: [], nextCursor: null })
})

test.each([
  ['429', /Try again in \d+ seconds/],
  ['500', /returned an error/],
  ['600', /invalid JSON/],
])('post %s is an upstream_error', async (postId, message) => {
  await expect(replies({ postId })).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringMatching(message),
  })
})

test.each([
  { postId: undefined },
  { postId: '' },
  { postId: 'abc' },
  { postId: '1 OR 2' },
  { postId: 'https://example.com/x/status/1' },
  { limit: 41 },
  { limit: 0 },
  { cursor: 'a b' },
  { sort: 'new' },
])('refuses %j', (params) => {
  expect(microblogPostComments.params.safeParse({ postId: '1', ...params }).success).toBe(false)
})

test('limit is listed as required', () => {
  expect(describeParams(microblogPostComments).map(({ name, type, required }) => [name, type, required])).toEqual([
    ['postId', 'string', true],
    ['limit', 'number', true],
    ['cursor', 'string', false],
  ])
})
