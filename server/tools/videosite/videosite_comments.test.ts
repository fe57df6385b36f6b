import { expect, test } from 'vitest'
import { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { toolResult } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import { videositeComments } from './videosite_comments'
import { videositeSearch } from './videosite_search'

withSandboxProviders()

const page = async (params: object) => Page.parse(await toolResult(videositeComments, params))

/** A video with many comments. */
const busy = async () => {
  const { rows } = await toolResult(videositeSearch, { query: 'bread', limit: 1 })
  return (rows as { videoId: string }[])[0]?.videoId
}

const Page = z.object({
  rows: z.array(z.looseObject({ commentId: z.string() })),
  nextCursor: z.string().nullable(),
  continuationToken: z.string().nullable(),
})

test('the first page begins with the pinned comment, with author, likes and replies', async () => {
  const { rows } = await page({ videoId: await busy(), limit: 20 })
  expect(rows).toHaveLength(20)
  expect(rows[0]).toMatchObject({
    commentId: expect.stringMatching(/^Ug/),
    text: expect.stringMatching(/^Thanks for watching /),
    author: expect.stringMatching(/^@/),
    authorId: expect.stringMatching(/^UC/),
    isByChannelOwner: true,
    isAuthorVerified: true,
    likeCount: expect.any(Number),
    publishedAt: null,
    publishedText: expect.stringMatching(/ ago$/),
    isPinned: true,
  })
  for (const row of rows.slice(1)) expect(row).toMatchObject({ isPinned: false, isByChannelOwner: false })
})

test.each([7, 20, 33, 100])('following nextCursor by %i visits every comment once and ends', async (limit) => {
  const seen: string[] = []
  const videoId = await busy()
  let continuationToken: string | undefined
  for (let calls = 0; calls === 0 || continuationToken !== undefined; calls++) {
    expect(calls).toBeLessThan(50)
    const found = await page({ videoId, limit, continuationToken })
    expect(found.rows.length).toBeLessThanOrEqual(limit)
    expect(found.continuationToken).toBe(found.nextCursor)
    seen.push(...found.rows.map((r) => r.commentId))
    continuationToken = found.nextCursor ?? undefined
  }
  expect(seen.length).toBeGreaterThan(30)
  expect(new Set(seen).size).toBe(seen.length)
})

test('a video without comments has an empty page and no next one', async () => {
  expect(await page({ videoId: 'sandbox0001', limit: 20 })).toEqual({
    rows: [],
    nextCursor: null,
    continuationToken: null,
  })
})

test.each([
  ['sandbox0002', 'Comments are turned off for this video.'],
  ['sandboxpriv', 'This video is private.'],
  ['nosuchvideo', "There is no such video, or it was removed (This video isn't available any more)."],
  ['sandboxhtml', 'The video site sent invalid JSON.'],
  ['sandboxjson', 'The video site sent a response of an unknown format.'],
  ['sandbox-429', 'The video site limits the request rate of this gateway. Try again in 60 seconds.'],
  ['sandbox-500', 'The video site returned an error (HTTP 500). Try again later.'],
])('%s is an upstream_error: %s', async (videoId, message) => {
  await expect(page({ videoId, limit: 5 })).rejects.toMatchObject({ code: 'upstream_error', message })
})

test('an expired token has its own message', async () => {
  const failed = page({ videoId: 'sandbox0005', limit: 5, continuationToken: 'sandbox0005.0.Zm9yZ290dGVu' })
  await expect(failed).rejects.toMatchObject({
    code: 'upstream_error',
    message: 'The video site no longer accepts this continuationToken. Start from the first page.',
  })
})

test.each([
  {},
  { videoId: 'sandbox0005' },
  { limit: 20 },
  { videoId: 'sandbox0005', limit: 0 },
  { videoId: 'sandbox0005', limit: 1.5 },
  { videoId: 'sandbox0005', limit: '20' },
  { videoId: 'nope', limit: 20 },
  { videoId: 'sandbox0005', limit: 20, continuationToken: 'bare' },
  { videoId: 'sandbox0005', limit: 20, continuationToken: '' },
  { videoId: 'sandbox0005', limit: 20, continuationToken: 'sandbox0006.0.Zm9v' },
  { videoId: 'sandbox0005', limit: 20, sort: 'new' },
])('refuses %j', (params) => {
  expect(videositeComments.params.safeParse(params).success).toBe(false)
})

test('lists its parameters as the contract has them', () => {
  expect(describeParams(videositeComments)).toMatchObject([
    { name: 'videoId', type: 'string', required: true },
    { name: 'continuationToken', type: 'string', required: false },
    { name: 'cursor', type: 'string', required: false },
    { name: 'limit', type: 'number', required: true },
  ])
})
