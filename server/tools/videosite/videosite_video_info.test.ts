import { expect, test } from 'vitest'
import { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { toolResult } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import { videositeVideoInfo } from './videosite_video_info'

withSandboxProviders()

const info = async (params: object, signal?: AbortSignal) =>
  z.record(z.string(), z.unknown()).parse(await toolResult(videositeVideoInfo, params, signal))

test('a video comes with its channel, counts, length, date and keywords', async () => {
  const shown = await info({ videoId: 'https://m.youtube.com/watch?v=sandbox0005&t=3' })
  expect(shown).toMatchObject({
    videoId: 'sandbox0005',
    url: 'https://www.youtube.com/watch?v=sandbox0005',
    title: expect.stringMatching(/\w/),
    description: expect.stringMatching(/\n/),
    keywords: expect.arrayContaining(['explained']),
    viewCount: expect.any(Number),
    likeCount: expect.any(Number),
    durationSeconds: expect.any(Number),
    publishedAt: expect.stringMatching(/Z$/),
    publishedText: null,
    category: expect.any(String),
    isLive: false,
    thumbnail: 'https://i.ytimg.com/vi/sandbox0005/hqdefault.jpg',
    channel: {
      id: expect.stringMatching(/^UC.{22}$/),
      name: expect.stringMatching(/\w/),
      url: expect.stringMatching(/^https:\/\/www\.youtube\.com\/channel\/UC/),
      subscriberCount: expect.any(Number),
    },
    isPlayable: true,
    unavailableReason: null,
  })
})

test('a video without keywords has none; a stream has no length', async () => {
  const ids = Array.from({ length: 20 }, (_, i) => `sandbox00${i + 10}`)
  const all = await Promise.all(ids.map((videoId) => info({ videoId })))
  expect(all.some(({ keywords }) => Array.isArray(keywords) && keywords.length === 0)).toBe(true)
  expect(await info({ videoId: 'sandbox0000' })).toMatchObject({ isLive: true, durationSeconds: null })
})

test('where the player refuses the gateway as a bot, the page provides what it has', async () => {
  const { title, viewCount, channel } = await info({ videoId: 'sandbox0005' })
  expect(await info({ videoId: 'sandboxbots' })).toMatchObject({
    title,
    viewCount,
    channel,
    keywords: null,
    likeCount: null,
    publishedText: expect.stringMatching(/^\w{3} \d{1,2}, 20\d\d$/),
  })
})

test.each([
  ['sandboxmemb', /paying members/],
  ['sandboxgeos', /country/],
])('%s is returned with the reason why it cannot be played', async (videoId, unavailableReason) => {
  expect(await info({ videoId })).toMatchObject({
    isPlayable: false,
    unavailableReason: expect.stringMatching(unavailableReason),
    title: expect.any(String),
  })
})

test.each([
  ['sandboxpriv', 'This video is private.'],
  ['sandboxgone', "There is no such video, or it was removed (This video isn't available any more)."],
  ['nosuchvideo', "There is no such video, or it was removed (This video isn't available any more)."],
  ['sandboxages', 'This video is shown to signed-in adults only.'],
  ['sandboxhtml', 'The video site sent invalid JSON.'],
  ['sandboxjson', 'The video site sent a response of an unknown format.'],
  ['sandbox-429', 'The video site limits the request rate of this gateway. Try again in 60 seconds.'],
  ['sandbox-500', 'The video site returned an error (HTTP 500). Try again later.'],
])('%s is an upstream_error: %s', async (videoId, message) => {
  await expect(info({ videoId })).rejects.toMatchObject({ code: 'upstream_error', message })
})

test('a slow provider is given up when time is up', async () => {
  const failed = info({ videoId: 'sandboxslow' }, AbortSignal.timeout(300))
  await expect(failed).rejects.toMatchObject({ code: 'upstream_error', message: expect.stringMatching(/in time/) })
})

test.each([
  {},
  { videoId: '' },
  { videoId: 'x' },
  { videoId: 7 },
  { videoId: 'https://example.com/watch?v=sandbox0005' },
  { videoId: 'sandbox0005', id: 1 },
])('refuses %j', (params) => {
  expect(videositeVideoInfo.params.safeParse(params).success).toBe(false)
})

test('lists its parameter as the contract has it', () => {
  expect(describeParams(videositeVideoInfo)).toMatchObject([{ name: 'videoId', type: 'string', required: true }])
})
