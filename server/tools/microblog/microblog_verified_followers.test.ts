import { expect, test } from 'vitest'
import type { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { allPages, toolResult } from '../../../tests/support/run-tool'
import { explainEmptyPage, type FollowerPage } from './followers'
import { microblogVerifiedFollowers } from './microblog_verified_followers'

withSandboxProviders()

const list = async (params: object) =>
  (await toolResult(microblogVerifiedFollowers, { microblogUserId: '2100000024478477813', ...params })) as z.output<
    typeof FollowerPage
  >

test('only verified accounts are listed, to the last page', async () => {
  const pages = await allPages((cursor) => list({ cursor }))
  expect(pages).toHaveLength(4)
  for (const user of pages.flat()) expect(user.isVerified).toBe(true)
  expect(pages.flat().length).toBeGreaterThan(20)
  expect(pages.flat().length).toBeLessThan(150)
})

test('a page without verified accounts says so, and whether there are more pages', () => {
  expect(explainEmptyPage({ rows: [], nextCursor: 'x' }, 100)).toMatchObject({
    note: 'None of the 100 followers of this page is verified. Later pages may have some: pass nextCursor as cursor.',
  })
  expect(explainEmptyPage({ rows: [1], nextCursor: null }, 100)).toMatchObject({ note: null })
})

test('an account without followers has an empty page, which says why', async () => {
  const note = expect.stringMatching(/lists no followers here.*last page/)
  expect(await list({ microblogUserId: '204' })).toEqual({ rows: [], nextCursor: null, note })
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
