import { expect, test } from 'vitest'
import { withSandboxProviders } from '../../../tests/support/providers'
import { toolResult } from '../../../tests/support/run-tool'
import { microblogUser } from './microblog_user'

withSandboxProviders()

const user = (username: string) => toolResult(microblogUser, { username })

test('a profile has counts, bio and verification, and the id that other tools take', async () => {
  expect(await user('@sandbox_2')).toMatchObject({
    userId: '9000000002',
    username: 'sandbox_2',
    name: 'Sandbox 2 & friends',
    description: 'Notes on the night train & more https://example.com/2',
    followerCount: 250,
    isVerified: true,
    verifiedType: 'blue',
    createdAt: expect.stringMatching(/Z$/),
  })
})

test('unknown values are null', async () => {
  expect(await user('sandbox_19')).toMatchObject({ followerCount: null, postCount: null, location: null })
  expect(await user('sandbox_5')).toMatchObject({ description: null, isVerified: false, verifiedType: null })
})

test.each([
  ['sandbox_404', 'There is no user sandbox_404, or it was deleted.'],
  ['sandbox_suspended', 'The account of user sandbox_suspended is suspended.'],
  ['sandbox_402', 'The microblog provider has no quota left for this gateway. Contact the operator.'],
  ['sandbox_cap', 'The microblog provider has no quota left for this gateway. Contact the operator.'],
  ['sandbox_403', 'The microblog provider denied access to this gateway (HTTP 403). Contact the operator.'],
  ['sandbox_500', 'The microblog provider returned an error (HTTP 500). Try again later.'],
  ['sandbox_html', 'The microblog provider sent invalid JSON.'],
])('%s is an upstream_error', async (name, message) => {
  await expect(user(name)).rejects.toMatchObject({ code: 'upstream_error', message })
})

test('a rate limit says when to try again', async () => {
  const error: { retryAfter?: number } = await user('sandbox_429').then(
    () => ({}),
    (e) => e,
  )
  expect(error).toMatchObject({ code: 'upstream_error', message: expect.stringMatching(/Try again in \d+ seconds/) })
  expect(error.retryAfter).toBeGreaterThan(50)
  expect(error.retryAfter).toBeLessThanOrEqual(61)
})

test.each([
  {},
  { username: '' },
  { username: 'two words' },
  { username: '../me' },
  { username: 'x'.repeat(31) },
  { username: 1 },
])('refuses %j', (params) => {
  expect(microblogUser.params.safeParse(params).success).toBe(false)
})
