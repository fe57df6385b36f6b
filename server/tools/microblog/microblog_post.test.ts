import { expect, test } from 'vitest'
import { withSandboxProviders } from '../../../tests/support/providers'
import { toolResult } from '../../../tests/support/run-tool'
import { microblogPost } from './microblog_post'

withSandboxProviders()

const ID = '2100000000105552640'
const post = (postId: string) => toolResult(microblogPost, { postId })

test('a post has text, author, counts and time', async () => {
  expect(await post(ID)).toMatchObject({
    postId: ID,
    text: expect.stringMatching(/espresso/i),
    author: 'espressodaily',
    user: { username: 'espressodaily' },
    likeCount: expect.any(Number),
    repostCount: expect.any(Number),
    publishedAt: expect.stringMatching(/Z$/),
  })
})

test.each([
  `https://x.com/espressodaily/status/${ID}`,
  `https://twitter.com/a/status/${ID}?s=20`,
  `x.com/i/web/status/${ID}`,
])('%s is that post', async (address) => {
  expect(await post(address)).toMatchObject({ postId: ID })
})

test.each([
  ['404', 'There is no post 404, or it was deleted.'],
  ['405', 'The account of post 405 is suspended.'],
  ['406', 'The post 406 is not public: its account is protected or suspended.'],
  ['600', 'The microblog provider sent invalid JSON.'],
])('post %s is an upstream_error', async (id, message) => {
  await expect(post(id)).rejects.toMatchObject({ code: 'upstream_error', message })
})

test.each([
  {},
  { postId: '' },
  { postId: 'abc' },
  { postId: '1'.repeat(20) },
  { postId: 1 },
  { postId: 'https://x.com/nasa' },
])('refuses %j', (params) => {
  expect(microblogPost.params.safeParse(params).success).toBe(false)
})
