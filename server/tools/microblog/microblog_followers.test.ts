import { expect, test } from 'vitest'
import type { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { allPages, toolResult } from '../../../tests/support/run-tool'
import type { FollowerPage } from './followers'
import { microblogFollowers } from './microblog_followers'

withSandboxProviders()

const list = async (params: object) =>
  (await toolResult(microblogFollowers, { microblogUserId: '2100000024478477813', ...params })) as z.output<
    typeof FollowerPage
  >

test('each follower has a follower count and a verified flag', async () => {
  const { rows } = await list({})
  expect(rows).toHaveLength(100)
  for (const user of rows) expect(user).toMatchObject({ followerCount: expect.any(Number) })
  expect(new Set(rows.map((user) => user.isVerified))).toEqual(new Set([true, false]))
})

test('following nextCursor returns every follower once and ends with null', async () => {
  const pages = await allPages((cursor) => list({ cursor }))
  expect(pages.map((page) => page.length)).toEqual([100, 100, 100, 11])
  expect(new Set(pages.flat().map((user) => user.userId)).size).toBe(311)
})

test('an account without followers has an empty page, which says why', async () => {
  const note = expect.stringMatching(/lists no followers here.*last page/)
  expect(await list({ microblogUserId: '204' })).toEqual({ rows: [], nextCursor: null, note })
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
