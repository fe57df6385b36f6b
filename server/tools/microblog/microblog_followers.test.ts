import { expect, test } from 'vitest'
import type { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { allPages, toolResult } from '../../../tests/support/run-tool'
import type { FollowerPage } from './followers'
import { microblogFollowers } from './microblog_followers'

withSandboxProviders()

const list = async (params: object) =>
  (await toolResult(microblogFollowers, { microblogUserId: '9000000003', ...params })) as z.output<typeof FollowerPage>

test('each follower has a follower count and a verified flag', async () => {
  const { rows } = await list({})
  expect(rows).toHaveLength(100)
  expect(rows[2]).toMatchObject({ userId: '9100000002', followerCount: 250, isVerified: true })
  expect(rows[0]).toMatchObject({ isVerified: false })
})

test('following nextCursor returns every follower once and ends with null', async () => {
  const pages = await allPages((cursor) => list({ cursor }))
  expect(pages.map((page) => page.length)).toEqual([100, 100, 50])
  expect(new Set(pages.flat().map((user) => user.userId)).size).toBe(250)
})

test('an account without followers has an empty page', async () => {
  expect(await list({ microblogUserId: '204' })).toEqual({ rows: [], nextCursor: null })
})

test.each([
  ['404', /There is no user 404/],
  ['406', /not public/],
  ['429', /Try again in \d+ seconds/],
  ['600', /invalid JSON/],
])('account %s is an upstream_error', async (microblogUserId, message) => {
  await expect(list({ microblogUserId })).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringMatching(message),
  })
})

test.each([
  {},
  { microblogUserId: '@nasa' },
  { microblogUserId: '' },
  { microblogUserId: '1', cursor: '../' },
  { microblogUserId: '1', limit: 5 },
])('refuses %j', (params) => {
  expect(microblogFollowers.params.safeParse(params).success).toBe(false)
})
