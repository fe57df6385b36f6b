import { expect, test } from 'vitest'
import { withSandboxProviders } from '../../../tests/support/providers'
import { toolResult } from '../../../tests/support/run-tool'
import { microblogUser } from './microblog_user'

withSandboxProviders()

const user = (username: string) => toolResult(microblogUser, { username })

test('a profile has counts, bio and verification, and the id that other tools take', async () => {
  expect(await user('@ada_trains')).toMatchObject({
    userId: '2100000024478477813',
    username: 'ada_trains',
    name: 'Ada Trains',
    description: expect.stringMatching(/trains/),
    followerCount: 311,
    isVerified: true,
    verifiedType: 'blue',
    createdAt: expect.stringMatching(/Z$/),
  })
})

test('texts are decoded, short links expanded', async () => {
  const { description } = await user('nils_espresso')
  expect(await user('WHO')).toMatchObject({ username: 'WHO', name: 'World Health Organization (WHO)' })
  expect(description).not.toMatch(/&amp;|t\.co/)
})

test('unknown values are null', async () => {
  expect(await user('sandbox_bare')).toMatchObject({ followerCount: null, postCount: null, location: null })
  expect(await user('sandbox_bare')).toMatchObject({ description: null, isVerified: null, verifiedType: null })
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
