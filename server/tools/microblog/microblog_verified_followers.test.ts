import { expect, test } from 'vitest'
import type { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { allPages, toolResult } from '../../../tests/support/run-tool'
import type { FollowerPage } from './followers'
import { microblogVerifiedFollowers } from './microblog_verified_followers'

withSandboxProviders()

const list = async (params: object) =>
  (await toolResult(microblogVerifiedFollowers, { microblogUserId: '9000000003', ...params })) as z.output<
    typeof FollowerPage
  >

test('only verified accounts are listed; a page without any still leads to the next', async () => {
  const pages = await allPages((cursor) => list({ cursor }))
  expect(pages.map((page) => page.length > 0)).toEqual([true, false, true])
  for (const user of pages.flat()) expect(user.isVerified).toBe(true)
  expect(pages.flat()).toHaveLength(55)
})

test('an account without followers has an empty page', async () => {
  expect(await list({ microblogUserId: '204' })).toEqual({ rows: [], nextCursor: null })
})

test.each([
  ['405', /suspended/],
  ['500', /returned an error/],
  ['600', /invalid JSON/],
])('account %s is an upstream_error', async (microblogUserId, message) => {
  await expect(list({ microblogUserId })).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringMatching(message),
  })
})

test.each([
  {},
  { microblogUserId: 'nasa' },
  { microblogUserId: '1', cursor: '' },
  { microblogUserId: '1', userId: '1' },
])('refuses %j', (params) => {
  expect(microblogVerifiedFollowers.params.safeParse(params).success).toBe(false)
})
