import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { allPages, toolResult } from '../../../tests/support/run-tool'
import { startSandboxServer } from '../../sandbox/start'
import { dataApiError } from './data-api'
import { parseIsoDuration } from './data-api-video'
import type { VideoCommentRow, VideoSearchRow } from './shape'
import { videositeComments } from './videosite_comments'
import { videositeSearch } from './videosite_search'
import { videositeTranscript } from './videosite_transcript'
import { videositeVideoInfo } from './videosite_video_info'

let sandbox: Awaited<ReturnType<typeof startSandboxServer>>

beforeAll(async () => {
  sandbox = await startSandboxServer({ port: 0 })
  vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:1/none')
  vi.stubEnv('AUTH_SECRET', 'a'.repeat(32))
  vi.stubEnv('UPSTREAMS', 'live')
  vi.stubEnv('YOUTUBE_BASE_URL', `${sandbox.url}/youtube`)
  vi.stubEnv('YOUTUBE_API_KEY', 'sandbox-key')
})
afterAll(() => sandbox.stop())

type Page = { rows: VideoCommentRow[]; nextCursor: string | null }
const comments = async (params: object) => (await toolResult(videositeComments, params)) as Page
const search = async (params: object) =>
  ((await toolResult(videositeSearch, params)) as { rows: VideoSearchRow[] }).rows
/** A video with many comments. */
const busy = async () => (await search({ query: 'bread', limit: 1 }))[0]?.videoId ?? ''

test('with a key, the Data API serves all but transcripts', async () => {
  await fetch(`${sandbox.url}/__reset`, { method: 'POST' })
  await toolResult(videositeVideoInfo, { videoId: 'sandbox0005' })
  await comments({ videoId: 'sandbox0005', limit: 3 })
  await search({ query: 'tides' })
  const calls = (await (await fetch(`${sandbox.url}/__calls`)).json()) as { byPath: Record<string, number> }
  expect(Object.keys(calls.byPath).every((path) => path.startsWith('/youtube/youtube/v3/'))).toBe(true)
  expect(await toolResult(videositeTranscript, { videoId: 'sandbox0005' })).toMatchObject({
    segmentCount: expect.any(Number),
  })
})

test('a video’s numbers are numbers, hidden ones null, and its date is exact', async () => {
  expect(await toolResult(videositeVideoInfo, { videoId: 'sandbox0005' })).toMatchObject({
    viewCount: expect.any(Number),
    likeCount: expect.any(Number),
    durationSeconds: expect.any(Number),
    publishedAt: expect.stringMatching(/Z$/),
    keywords: expect.arrayContaining(['explained']),
    channel: { id: expect.stringMatching(/^UC.{22}$/), subscriberCount: expect.any(Number) },
  })
  expect(await toolResult(videositeVideoInfo, { videoId: 'sandbox0000' })).toMatchObject({
    likeCount: null,
    durationSeconds: null,
    isLive: true,
  })
})

test('a video that is not public is an upstream_error', async () => {
  await expect(toolResult(videositeVideoInfo, { videoId: 'nosuchvideo' })).rejects.toMatchObject({
    code: 'upstream_error',
    message: 'There is no such video, or it is not public.',
  })
})

test.each([9, 20, 100])('following nextCursor by %i visits every comment once and ends', async (limit) => {
  const videoId = await busy()
  const pages = await allPages((continuationToken) => comments({ videoId, limit, continuationToken }))
  const ids = pages.flat().map((c) => c.commentId)
  expect(ids.length).toBeGreaterThan(30)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a removed account has no name, edits are marked, and text is plain', async () => {
  const videoId = await busy()
  const rows = (await allPages((continuationToken) => comments({ videoId, limit: 100, continuationToken }))).flat()
  expect(rows.find((row) => row.author === null)).toMatchObject({
    authorId: null,
    isByChannelOwner: null,
    isAuthorVerified: null,
  })
  expect(rows.some((row) => row.isEdited) && rows.some((row) => !row.isEdited)).toBe(true)
  expect(rows.some((row) => row.text.endsWith('<3'))).toBe(true)
})

test.each([
  ['sandbox0002', 'Comments are turned off for this video.'],
  ['nosuchvideo', 'There is no such video, or it is not public.'],
])('comments of %s: %s', async (videoId, message) => {
  await expect(comments({ videoId, limit: 5 })).rejects.toMatchObject({ code: 'upstream_error', message })
})

test('an expired token has its own message', async () => {
  const failed = comments({ videoId: 'sandbox0005', limit: 5, continuationToken: 'sandbox0005.0.forgotten' })
  await expect(failed).rejects.toMatchObject({
    message: expect.stringMatching(/no longer accepts this continuationToken/),
  })
})

test('search rows are videos only, unescaped, with views and lengths', async () => {
  const rows = await search({ query: 'crusts crack', limit: 50, country: 'ES', lang: 'es', orderBy: 'this_year' })
  expect(rows.some((row) => row.title.includes(' & '))).toBe(true)
  for (const row of rows) {
    expect(row).toMatchObject({
      title: expect.stringMatching(/crusts crack/i),
      description: expect.stringMatching(/\w/),
      viewCount: expect.any(Number),
      publishedAt: expect.stringMatching(/Z$/),
    })
  }
  expect(await search({ query: 'tides', limit: 50 })).toHaveLength(50)
})

const error = (reason: string, message = 'inner <b>words</b>', details: object[] = []) =>
  JSON.stringify({ error: { code: 0, message, errors: [{ message, domain: 'x', reason }], details } })

test.each([
  [403, error('quotaExceeded'), /no quota left .* midnight, Pacific/],
  [403, error('dailyLimitExceeded'), /no quota left/],
  [403, error('rateLimitExceeded'), /limits the request rate/],
  [429, error('RESOURCE_EXHAUSTED'), /limits the request rate/],
  [429, '<html>', /limits the request rate/],
  [400, error('badRequest', 'API key not valid. Please pass a valid API key.'), /Contact the operator/],
  [400, error('badRequest', 'x', [{ reason: 'API_KEY_INVALID' }]), /Contact the operator/],
  [403, error('accessNotConfigured'), /Contact the operator/],
  [403, error('forbidden'), /denied access to this gateway/],
  [403, error('commentsDisabled'), /turned off/],
  [404, error('videoNotFound'), /no such video/],
  [400, error('invalidSearchFilter'), /rejected the parameters/],
  [500, error('backendError'), /returned an error/],
])('HTTP %i %s', (status, text, message) => {
  const failed = dataApiError({ status, headers: {}, text })
  expect(failed).toMatchObject({ code: 'upstream_error', message: expect.stringMatching(message) })
  expect(failed.message).not.toMatch(/inner/)
})

test.each([
  ['PT9M14S', 554],
  ['PT1H', 3600],
  ['P1DT2S', 86_402],
  ['P0D', null],
  ['nine minutes', null],
  [undefined, null],
])('duration %s is %j', (iso, seconds) => {
  expect(parseIsoDuration(iso)).toBe(seconds)
})
