import { expect, test } from 'vitest'
import type { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { allPages, toolResult } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import { microblogUserPosts } from './microblog_user_posts'
import type { MicroblogPostRow } from './posts'
import type { MicroblogUserRow } from './users'

withSandboxProviders()

type Page = {
  rows: z.output<typeof MicroblogPostRow>[]
  users: z.output<typeof MicroblogUserRow>[]
  nextCursor: string | null
}
const posts = async (params: object) =>
  (await toolResult(microblogUserPosts, { userId: '2100000024478477813', ...params })) as Page

test('20 posts to a page, newest first, with the account once', async () => {
  const { rows, users, nextCursor } = await posts({})
  expect(rows).toHaveLength(20)
  expect(rows.map((r) => r.publishedAt)).toEqual(
    rows
      .map((r) => r.publishedAt)
      .sort()
      .reverse(),
  )
  expect(users.filter((user) => user.userId === '2100000024478477813')).toHaveLength(1)
  expect(new Set(users.map((user) => user.userId)).size).toBe(users.length)
  expect(rows[0]).toMatchObject({ authorId: '2100000024478477813', author: 'ada_trains' })
  expect(nextCursor).not.toBeNull()
})

test.each([3, 4, 7, 20, 40])(
  'pages of %i, some below the provider’s page size, return every post once',
  async (limit) => {
    const pages = await allPages((cursor) => posts({ limit, cursor }))
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit)
    const ids = pages.flat().map((post) => post.postId)
    expect(ids).toHaveLength(60)
    expect(new Set(ids).size).toBe(60)
  },
)

test('texts are complete: reposts and long posts are not cut, links expanded, entities decoded', async () => {
  const { rows } = await posts({ limit: 40 })
  expect(rows.some((post) => post.text.includes('…'))).toBe(false)
  const repost = rows.find((post) => post.references[0]?.type === 'repost')
  expect(repost?.text).toBe(`RT @${repost?.references[0]?.author}: ${repost?.references[0]?.text}`)
  expect(rows.some((post) => post.text.length > 280)).toBe(true)
  expect(rows.some((post) => post.text.includes('.example/'))).toBe(true)
  for (const { text } of rows) expect(text).not.toMatch(/&amp;|t\.co/)
})

test('media have a URL', async () => {
  const { rows } = await posts({ limit: 40 })
  const types = rows.flatMap((post) => post.media.map(({ type, url }) => [type, typeof url]))
  expect(types).toContainEqual(['photo', 'string'])
  expect(types).toContainEqual(['video', 'string'])
})

test('an account without posts has an empty page', async () => {
  expect(await posts({ userId: '204' })).toEqual({ rows: [], users: [], nextCursor: null })
})

test.each([
  ['404', 'There is no user 404, or it was deleted.'],
  ['406', 'The user 406 is not public: its account is protected or suspended.'],
  ['600', 'The microblog provider sent invalid JSON.'],
])('account %s is an upstream_error', async (userId, message) => {
  await expect(posts({ userId })).rejects.toMatchObject({ code: 'upstream_error', message })
})

test('an invalid cursor is refused under the parameter’s own name', async () => {
  await expect(posts({ cursor: 'abc1' })).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringMatching(/rejected the parameters: The `cursor` query parameter/),
  })
})

test.each([
  { userId: undefined },
  { userId: '' },
  { userId: 'sandbox_3' },
  { userId: '1/../2' },
  { userId: 3 },
  { limit: 0 },
  { limit: 41 },
  { limit: 2.5 },
  { limit: '20' },
  { cursor: '' },
  { cursor: '&max_results=1' },
  { username: 'x' },
])('refuses %j', (params) => {
  expect(microblogUserPosts.params.safeParse({ userId: '1', ...params }).success).toBe(false)
})

test('limit is listed as required and has a default', () => {
  expect(describeParams(microblogUserPosts)).toMatchObject([
    { name: 'userId', type: 'string', required: true },
    { name: 'limit', type: 'number', required: true, description: 'Posts per page. Default 20, from 1 to 40.' },
    { name: 'cursor', type: 'string', required: false },
  ])
  expect(microblogUserPosts.params.parse({ userId: '1' })).toEqual({ userId: '1', limit: 20 })
})
