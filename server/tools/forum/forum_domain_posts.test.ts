import { expect, test } from 'vitest'
import type { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { allPages, toolResult } from '../../../tests/support/run-tool'
import { forumDomainPosts } from './forum_domain_posts'
import type { ForumPostPage } from './posts'

withSandboxProviders()

const list = async (params: object) => (await toolResult(forumDomainPosts, params)) as z.output<typeof ForumPostPage>

test('posts link to the domain, and paging ends', async () => {
  const pages = await allPages((after) => list({ domain: 'Example.com', limit: 10, after }))
  const ids = pages.flat().map((post) => post.postId)
  expect(ids.length).toBeGreaterThan(10)
  expect(new Set(ids).size).toBe(ids.length)
  for (const post of pages.flat()) expect(post).toMatchObject({ domain: 'example.com', isText: false, text: '' })
})

test.each([
  ['sandbox404.example', /There is no domain sandbox404\.example/],
  ['sandbox429.example', /Try again in 61 seconds/],
  ['sandboxhtml.example', /invalid JSON/],
])('%s is an upstream_error', async (domain, message) => {
  await expect(list({ domain })).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringMatching(message),
  })
})

test.each([
  ['example.com', 'example.com'],
  [' WWW.Example.COM ', 'www.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['self.some_community', 'self.some_community'],
])('%s is requested as %s', (domain, asked) => {
  expect(forumDomainPosts.params.parse({ domain })).toMatchObject({
    domain: asked,
    sort: 'top',
    time: 'all',
    limit: 25,
  })
})

test.each([
  {},
  { domain: '' },
  { domain: 'example' },
  { domain: '..' },
  { domain: 'https://example.com' },
  { domain: 'example.com/path' },
  { domain: 'example.com?x' },
  { domain: 'example.com', sort: 'relevance' },
  { domain: 'example.com', time: 'ever' },
  { domain: 'example.com', limit: -1 },
  { domain: 'example.com', community: 'bread' },
])('refuses %j', (params) => {
  expect(forumDomainPosts.params.safeParse(params).success).toBe(false)
})
