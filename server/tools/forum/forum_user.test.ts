import { expect, test } from 'vitest'
import { withSandboxProviders } from '../../../tests/support/providers'
import { toolResult } from '../../../tests/support/run-tool'
import { forumUser } from './forum_user'

withSandboxProviders()

const user = (username: string) => toolResult(forumUser, { username })

test('a profile has karma, age and verification', async () => {
  expect(await user('u/ada-1')).toMatchObject({
    username: 'ada-1',
    karma: expect.any(Number),
    postKarma: expect.any(Number),
    commentKarma: expect.any(Number),
    createdAt: expect.stringMatching(/^20.*Z$/),
    accountAgeDays: expect.any(Number),
    isVerified: true,
    hasVerifiedEmail: expect.any(Boolean),
    description: expect.any(String),
    isSuspended: false,
  })
})

test('a suspended account has only a name: its age is unknown, not 56 years', async () => {
  expect(await user('sandbox_gone')).toMatchObject({
    username: 'sandbox_gone',
    isSuspended: true,
    createdAt: null,
    accountAgeDays: null,
    karma: null,
    postKarma: null,
    commentKarma: null,
  })
})

test.each([
  ['sandbox_404', 'There is no user sandbox_404, or it was deleted.'],
  ['sandbox_500', 'The forum provider returned an error (HTTP 500). Try again later.'],
  ['sandbox_html', 'The forum provider sent invalid JSON.'],
])('%s is an upstream_error', async (name, message) => {
  await expect(user(name)).rejects.toMatchObject({ code: 'upstream_error', message })
})

test.each([
  {},
  { username: '' },
  { username: 'a b' },
  { username: '..' },
  { username: 'x'.repeat(31) },
  { username: 7 },
])('refuses %j', (params) => {
  expect(forumUser.params.safeParse(params).success).toBe(false)
})
