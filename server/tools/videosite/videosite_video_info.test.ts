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
  expect(await info({ videoId: 'https://m.youtube.com/watch?v=sandbox0005&t=3' })).toEqual({
    videoId: 'sandbox0005',
    url: 'https://www.youtube.com/watch?v=sandbox0005',
    title: 'A year of moon phases, part 1',
    description: 'Hello and welcome back.\nToday we take our time.',
    keywords: ['astronomy', 'sandbox'],
    viewCount: 938_278,
    likeCount: 18_950,
    durationSeconds: 2080,
    publishedAt: '2025-12-27T00:00:00.000Z',
    publishedText: null,
    category: 'Howto & Style',
    isLive: false,
    thumbnail: 'https://i.ytimg.com/vi/sandbox0005/hqdefault.jpg',
    channel: {
      id: 'UCsandboxnightsky0000003',
      name: 'Night Sky Notes',
      url: 'https://www.youtube.com/channel/UCsandboxnightsky0000003',
      subscriberCount: 25_400,
    },
    isPlayable: true,
    unavailableReason: null,
  })
})

test('a video without keywords has none; a stream has no length', async () => {
  expect(await info({ videoId: 'sandbox0003' })).toMatchObject({ keywords: [], isLive: false })
  expect(await info({ videoId: 'sandbox0000' })).toMatchObject({ isLive: true, durationSeconds: null })
})

test('where the player refuses the gateway as a bot, the page provides what it has', async () => {
  expect(await info({ videoId: 'sandboxbots' })).toMatchObject({
    title: 'A year of moon phases, part 1',
    viewCount: 938_278,
    keywords: null,
    likeCount: null,
    publishedText: 'Dec 27, 2025',
    channel: { id: 'UCsandboxnightsky0000003', subscriberCount: 25_400 },
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
