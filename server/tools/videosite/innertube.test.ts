import { beforeEach, expect, test, vi } from 'vitest'
import { type ScriptedReply, withProviderAt } from '../../../tests/support/providers'
import { fetchCaptions, fetchInnertube } from './innertube'
import { fetchFirstCommentToken, fetchInnertubeComments } from './innertube-comments'
import { searchInnertube } from './innertube-search'
import { fetchInnertubeVideo } from './innertube-video'
import { fetchTranscript } from './transcript'

/** Responses by the last part of the path; `{}` for any other. */
let responses: Record<string, ScriptedReply | ((nth: number) => ScriptedReply)>
const { requests } = withProviderAt(
  (url) => ({ YOUTUBE_BASE_URL: `${url}/tube/` }),
  ({ url }) => {
    const name = url.pathname.split('/').at(-1) ?? ''
    const response = responses[name] ?? { body: '{}' }
    return typeof response === 'function'
      ? response(requests.filter((a) => a.url.pathname === url.pathname).length)
      : response
  },
)

const accepted = vi.fn()
const context = () => ({ signal: AbortSignal.timeout(60_000), onSent: accepted, spent: () => {}, ownerId: 1 })
const json = (body: unknown): ScriptedReply => ({ body: JSON.stringify(body) })
const ID = 'sandbox0001'

beforeEach(() => {
  responses = {}
  accepted.mockClear()
})

test('a request goes to the operator’s address as the web site makes it, and nothing else is fetched', async () => {
  await fetchInnertube(context(), 'search', { query: 'tides', params: 'EgIQAQ==' }, { lang: 'es', country: 'MX' })
  expect(requests.map((a) => `${a.method} ${a.url.pathname}`)).toEqual(['POST /tube/youtubei/v1/search'])
  expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
    query: 'tides',
    params: 'EgIQAQ==',
    context: { client: { clientName: 'WEB', hl: 'es', gl: 'MX', clientVersion: expect.stringMatching(/^2\./) } },
  })
  expect(requests[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-youtube-client-name': '1',
    origin: 'https://www.youtube.com',
  })
  expect(accepted).toHaveBeenCalled()
})

test.each<[number, Record<string, string>, RegExp]>([
  [429, {}, /limits the request rate.*60 seconds/],
  [429, { 'retry-after': '120' }, /Try again in 120 seconds/],
  [403, {}, /denied access to this gateway \(HTTP 403\)/],
  [302, { location: 'https://consent.youtube.com/' }, /asks this gateway for consent/],
  [400, {}, /rejected the parameters \(HTTP 400\)/],
  [418, {}, /unexpected response \(HTTP 418\)/],
])('HTTP %i has a helpful message, without the provider’s words', async (status, headers, message) => {
  responses = { search: { status, headers, body: '<html>inner words</html>' } }
  const failed = fetchInnertube(context(), 'search', { query: 'x' })
  await expect(failed).rejects.toMatchObject({ code: 'upstream_error', message: expect.stringMatching(message) })
  await expect(failed).rejects.toMatchObject({ message: expect.not.stringMatching(/inner words/) })
})

test('only the query of a caption track’s address is used, and of no other address', async () => {
  responses = { timedtext: { body: '{"events":[]}' } }
  expect(await fetchCaptions(context(), 'http://169.254.169.254/api/timedtext?v=a&fmt=srv3')).toBe('{"events":[]}')
  expect(requests[0]?.url.pathname).toBe('/tube/api/timedtext')
  expect(requests[0]?.url.search).toBe('?v=a&fmt=json3')
  expect(await fetchCaptions(context(), 'http://169.254.169.254/latest/meta-data')).toBeNull()
  expect(await fetchCaptions(context(), 'http://[')).toBeNull()
  expect(requests).toHaveLength(1)
})

const player = (more: object) =>
  json({ playabilityStatus: { status: 'OK' }, videoDetails: { videoId: ID, title: 'T' }, ...more })
const tracks = (captionTracks: unknown) => ({ captions: { playerCaptionsTracklistRenderer: { captionTracks } } })

test('missing numbers are null, and a watch page that fails loses only what it would add', async () => {
  responses = { player: player({}), next: { status: 403, body: '' } }
  expect(await fetchInnertubeVideo(context(), ID)).toMatchObject({
    viewCount: null,
    likeCount: null,
    durationSeconds: null,
    publishedAt: null,
    keywords: [],
    channel: { id: null, subscriberCount: null },
  })
})

test('details of another video are refused', async () => {
  responses = { player: player({ videoDetails: { videoId: 'anothervide', title: 'X' } }) }
  await expect(fetchInnertubeVideo(context(), ID)).rejects.toMatchObject({ message: expect.stringMatching(/as a bot/) })
})

test.each([
  ['ERROR', 'Video unavailable', 'There is no such video, or it was removed.'],
  [
    'LOGIN_REQUIRED',
    'This video may be inappropriate for some users.',
    'This video is shown to signed-in adults only.',
  ],
  ['AGE_VERIFICATION_REQUIRED', '', 'This video is shown to signed-in adults only.'],
  ['UNPLAYABLE', 'Join this channel to get access to members-only content', /paying members/],
  ['UNPLAYABLE', 'Some other reason.', /to the public \(Some other reason\)\.$/],
  ['SOMETHING_NEW', null, 'The video site does not show this video to the public.'],
])('playability %s, "%s"', async (status, reason, message) => {
  responses = { player: json({ playabilityStatus: { status, reason } }) }
  await expect(fetchInnertubeVideo(context(), ID)).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringMatching(message),
  })
})

test('an empty response to the mobile client means that there is no such video', async () => {
  responses = { player: { body: '{}' } }
  await expect(fetchTranscript(context(), ID)).rejects.toMatchObject({
    message: expect.stringMatching(/no such video/),
  })
})

test.each([
  [
    'captions without a word',
    { body: '{"events":[{"tStartMs":0},{"tStartMs":5,"segs":[{"utf8":"\\n"}]}]}' },
    /are empty/,
  ],
  ['an empty body', { body: '' }, /does not return them/],
  ['XML', { body: '<transcript/>' }, /invalid JSON/],
  ['another form', { body: '{"events":"none"}' }, /unknown format/],
  ['a refusal', { status: 403, body: '' }, /denied access to this gateway/],
])('a caption track of %s is an upstream_error', async (_name, timedtext, message) => {
  responses = { player: player(tracks([{ baseUrl: '/api/timedtext?v=x', languageCode: 'en' }])), timedtext }
  await expect(fetchTranscript(context(), ID)).rejects.toMatchObject({ message: expect.stringMatching(message) })
})

test('captions come from the app’s player, whose tracks need no proof of a browser', async () => {
  responses = { player: player(tracks([])) }
  await expect(fetchTranscript(context(), ID)).rejects.toMatchObject({ message: expect.stringMatching(/no captions/) })
  const body = requests.find((a) => a.url.pathname.endsWith('/player'))?.body ?? ''
  expect(JSON.parse(body)).toMatchObject({ videoId: ID, context: { client: { clientName: 'ANDROID' } } })
})

const items = (continuationItems: unknown[]) => ({
  onResponseReceivedEndpoints: [{ appendContinuationItemsAction: { continuationItems } }],
})

test.each([
  ['{}', {}],
  ['threads without their contents', items([{ commentThreadRenderer: {} }])],
  ['threads of the old form', items([{ commentThreadRenderer: { comment: { commentRenderer: { commentId: 'x' } } } }])],
])('comments: %s is an upstream_error', async (_name, body) => {
  responses = { next: json(body) }
  await expect(fetchInnertubeComments(context(), 'token')).rejects.toMatchObject({
    message: expect.stringMatching(/unknown format/),
  })
})

test('a page without a comment section has comments turned off if its video is available', async () => {
  responses = { player: player({}) }
  await expect(fetchFirstCommentToken(context(), ID)).rejects.toMatchObject({
    message: 'Comments are turned off for this video.',
  })
})

const sections = (contents: unknown[]) => [{ itemSectionRenderer: { contents } }]
const firstPage = (contents: unknown[]) =>
  json({
    contents: {
      twoColumnSearchResultsRenderer: { primaryContents: { sectionListRenderer: { contents: sections(contents) } } },
    },
  })

test('unknown results are skipped, unless the only result is a video that cannot be read', async () => {
  const video = { videoRenderer: { videoId: ID, title: { simpleText: 'T' }, badges: 'odd', viewCountText: 5 } }
  responses = { search: firstPage([{ brandNewViewModel: {} }, null, 'x', { lockupViewModel: {} }, video]) }
  expect(await searchInnertube(context(), { query: 'x', limit: 5 })).toMatchObject([{ videoId: ID, viewCount: null }])
  responses = { search: firstPage([{ videoRenderer: { id: 'moved' } }]) }
  await expect(searchInnertube(context(), { query: 'x', limit: 5 })).rejects.toMatchObject({ code: 'upstream_error' })
})

test('endless pages without results are given up', async () => {
  const more = { continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token: 'again' } } } }
  responses = {
    search: json({ onResponseReceivedCommands: [{ appendContinuationItemsAction: { continuationItems: [more] } }] }),
  }
  expect(await searchInnertube(context(), { query: 'x', limit: 5 })).toEqual([])
  expect(requests.length).toBeLessThanOrEqual(6)
})

test('a search for the last hour leaves out older videos', async () => {
  const video = (videoId: string, age: string) => ({
    videoRenderer: { videoId, title: { simpleText: 'T' }, publishedTimeText: { simpleText: age } },
  })
  responses = { search: firstPage([video('a', '12 minutes ago'), video('b', '3 days ago'), video('c', '1 hour ago')]) }
  const rows = await searchInnertube(context(), { query: 'x', limit: 5, uploaded: 'last_hour' })
  expect(rows.map((r) => r.videoId)).toEqual(['a'])
})

test('the library writes nothing to the console', async () => {
  const written = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error'), vi.spyOn(console, 'info')]
  responses = { next: json({ contents: { unheardOfRenderer: {} } }), player: player({}) }
  await fetchInnertubeVideo(context(), ID)
  for (const spy of written) expect(spy).not.toHaveBeenCalled()
})
