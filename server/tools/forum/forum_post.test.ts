import { beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { toolResult } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import type { ForumCommentRow } from './comment-tree'
import { forumPost } from './forum_post'
import { forumSearch } from './forum_search'
import type { ForumPostRow } from './posts'

withSandboxProviders()

type Answer = {
  post: z.output<typeof ForumPostRow>
  comments: z.output<typeof ForumCommentRow>[]
  moreCommentCount: number
}
const post = async (params: object) => (await toolResult(forumPost, params)) as Answer

/** A post with hundreds of comments. */
let busy = ''
beforeAll(async () => {
  const { rows } = await toolResult(forumSearch, { query: 'sailing', sort: 'comments', limit: 1 })
  busy = (rows as z.output<typeof ForumPostRow>[])[0]?.postId ?? ''
})

test('the post comes with 30 comments of at most 3 levels, and the number left out', async () => {
  const { post: found, comments, moreCommentCount } = await post({ postId: busy })
  expect(found).toMatchObject({ postId: busy, title: expect.stringMatching(/sailing/i) })
  expect(comments).toHaveLength(30)
  expect(Math.max(...comments.map((c) => c.depth))).toBe(2)
  expect(moreCommentCount).toBeGreaterThan(0)
})

test('comments are in reading order: each after its parent', async () => {
  const { comments } = await post({ postId: busy, commentLimit: 100, commentDepth: 10 })
  const seen = new Map<string, number>()
  for (const { commentId, parentId, depth } of comments) {
    if (depth > 0) expect(seen.get(parentId ?? '')).toBe(depth - 1)
    else expect(parentId).toBeNull()
    seen.set(commentId, depth)
  }
  expect(Math.max(...seen.values())).toBeGreaterThan(3)
})

test.each([1, 7, 100])('returns at most %i comments', async (commentLimit) => {
  expect((await post({ postId: busy, commentLimit })).comments.length).toBeLessThanOrEqual(commentLimit)
})

test('one level has no replies to replies', async () => {
  const { comments } = await post({ postId: busy, commentDepth: 1 })
  expect(new Set(comments.map((c) => c.depth))).toEqual(new Set([0]))
})

test('deleted authors and hidden scores are null', async () => {
  const { comments } = await post({ postId: busy, commentLimit: 100, commentDepth: 10 })
  expect(comments.some((c) => c.author === null && c.text === '[deleted]')).toBe(true)
  expect(comments.some((c) => c.score === null)).toBe(true)
})

test('a post without comments has none', async () => {
  expect(await post({ postId: 'sandboxgone' })).toMatchObject({
    post: { author: null },
    comments: [],
    moreCommentCount: 0,
  })
})

test('a share link is followed to its post', async () => {
  const { post: found } = await post({ postId: 'https://www.reddit.com/r/bread/s/aBc123' })
  expect(found.community).toBe('bread')
})

test.each([
  ['sandbox404', 'There is no post sandbox404, or it was deleted.'],
  ['sandboxhtml', 'The forum provider sent invalid JSON.'],
  ['https://reddit.com/r/bread/s/sandbox404', /^The forum provider does not know this share link\./],
])('%s is an upstream_error', async (postId, message) => {
  await expect(post({ postId })).rejects.toMatchObject({
    code: 'upstream_error',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  })
})

test.each([
  {},
  { postId: '' },
  { postId: 'no such form' },
  { postId: 'https://example.com/r/x/comments/1sb00/' },
  { postId: 'https://v.redd.it/abc123' },
  { postId: '1sb00', commentLimit: 0 },
  { postId: '1sb00', commentLimit: 101 },
  { postId: '1sb00', commentDepth: 11 },
  { postId: '1sb00', commentDepth: 1.5 },
  { postId: '1sb00', commentSort: 'confidence' },
  { postId: '1sb00', limit: 5 },
])('refuses %j', (params) => {
  expect(forumPost.params.safeParse(params).success).toBe(false)
})

test('lists its parameters as the contract has them', () => {
  expect(describeParams(forumPost)).toMatchObject([
    { name: 'postId', type: 'string', required: true },
    { name: 'commentLimit', type: 'number', description: expect.stringMatching(/Default 30, from 1 to 100\.$/) },
    { name: 'commentDepth', type: 'number', description: expect.stringMatching(/Default 3, from 1 to 10\.$/) },
    { name: 'commentSort', type: '"best" | "top" | "new" | "controversial" | "old" | "qa"', required: false },
  ])
})
