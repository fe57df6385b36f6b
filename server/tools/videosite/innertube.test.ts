import { beforeEach, expect, test, vi } from 'vitest'
import { type FakeResponse, withFakeProvider } from '../../../tests/support/run-tool'
import { fetchCaptions, fetchInnertube } from './innertube'
import { fetchFirstCommentToken, fetchInnertubeComments } from './innertube-comments'
import { searchInnertube } from './innertube-search'
import { fetchInnertubeVideo } from './innertube-video'
import { fetchTranscript } from './transcript'

/** Answers by the last part of the path; what is not told is `{}`. */
let answers: Record<string, FakeResponse | ((nth: number) => FakeResponse)>
const { asked } = withFakeProvider(
  (url) => ({ YOUTUBE_BASE_URL: `${url}/tube/` }),
  ({ url }) => {
    const name = url.pathname.split('/').at(-1) ?? ''
    const told = answers[name] ?? { body: '{}' }
    return typeof told === 'function' ? told(asked.filter((a) => a.url.pathname === url.pathname).length) : told
  },
)

const accepted = vi.fn()
const context = () => ({ signal: AbortSignal.timeout(15_000), onSent: accepted, spent: () => {}, ownerId: 1 })
const json = (body: unknown): FakeResponse => ({ body: JSON.stringify(body) })
const ID = 'sandbox0001'

beforeEach(() => {
  asked.length = 0
  answers = {}
  accepted.mockClear()
})

test('a request goes to the operator’s address as the web site makes it, and nothing else is fetched', async () => {
  await fetchInnertube(context(), 'search', { query: 'tides', params: 'EgIQAQ==' }, { lang: 'es', country: 'MX' })
  expect(asked.map((a) => `${a.req.method} ${a.url.pathname}`)).toEqual(['POST /tube/youtubei/v1/search'])
  expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({
    query: 'tides',
    params: 'EgIQAQ==',
    context: { client: { clientName: 'WEB', hl: 'es', gl: 'MX', clientVersion: expect.stringMatching(/^2\./) } },
  })
  expect(asked[0]?.req.headers).toMatchObject({
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
])('HTTP %i is told in words that help, without the vendor’s own', async (status, headers, message) => {
  answers = { search: { status, headers, body: '<html>inner words</html>' } }
  const failed = fetchInnertube(context(), 'search', { query: 'x' })
  await expect(failed).rejects.toMatchObject({ code: 'upstream_error', message: expect.stringMatching(message) })
  await expect(failed).rejects.toMatchObject({ message: expect.not.stringMatching(/inner words/) })
})

test('of a caption track’s address only the query is used, and only a caption track’s', async () => {
  answers = { timedtext: { body: '{"events":[]}' } }
  expect(await fetchCaptions(context(), 'http://169.254.169.254/api/timedtext?v=a&fmt=srv3')).toBe('{"events":[]}')
  expect(asked[0]?.url.pathname).toBe('/tube/api/timedtext')
  expect(asked[0]?.url.search).toBe('?v=a&fmt=json3')
  expect(await fetchCaptions(context(), 'http://169.254.169.254/latest/meta-data')).toBeNull()
  expect(await fetchCaptions(context(), 'http://[')).toBeNull()
  expect(asked).toHaveLength(1)
})

const player = (more: object) =>
  json({ playabilityStatus: { status: 'OK' }, videoDetails: { videoId: ID, title: 'T' }, ...more })
const tracks = (captionTracks: unknown) => ({ captions: { playerCaptionsTracklistRenderer: { captionTracks } } })

test('missing numbers are null, and a page that fails costs only what it would have added', async () => {
  answers = { player: player({}), next: { status: 403, body: '' } }
  expect(await fetchInnertubeVideo(context(), ID)).toMatchObject({
    viewCount: null,
    likeCount: null,
    durationSeconds: null,
    publishedAt: null,
    keywords: [],
    channel: { id: null, subscriberCount: null },
  })
})

test('the details of another video are not passed off as those asked for', async () => {
  answers = { player: player({ videoDetails: { videoId: 'anothervide', title: 'X' } }) }
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
  answers = { player: json({ playabilityStatus: { status, reason } }) }
  await expect(fetchInnertubeVideo(context(), ID)).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringMatching(message),
  })
})

test('an answer to a mobile client that is empty means that there is no such video', async () => {
  answers = { player: { body: '{}' } }
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
  answers = { player: player(tracks([{ baseUrl: '/api/timedtext?v=x', languageCode: 'en' }])), timedtext }
  await expect(fetchTranscript(context(), ID)).rejects.toMatchObject({ message: expect.stringMatching(message) })
})

test('the captions are asked of the app’s player, whose tracks need no proof', async () => {
  answers = { player: player(tracks([])) }
  await expect(fetchTranscript(context(), ID)).rejects.toMatchObject({ message: expect.stringMatching(/no captions/) })
  const body = asked.find((a) => a.url.pathname.endsWith('/player'))?.body ?? ''
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
  answers = { next: json(body) }
  await expect(fetchInnertubeComments(context(), 'token')).rejects.toMatchObject({
    message: expect.stringMatching(/unknown format/),
  })
})

test('a page without a comment section whose video can be had has its comments turned off', async () => {
  answers = { player: player({}) }
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

test('what is unknown among the results is skipped, a video that cannot be read alone is not', async () => {
  const video = { videoRenderer: { videoId: ID, title: { simpleText: 'T' }, badges: 'odd', viewCountText: 5 } }
  answers = { search: firstPage([{ brandNewViewModel: {} }, null, 'x', { lockupViewModel: {} }, video]) }
  expect(await searchInnertube(context(), { query: 'x', limit: 5 })).toMatchObject([{ videoId: ID, viewCount: null }])
  answers = { search: firstPage([{ videoRenderer: { id: 'moved' } }]) }
  await expect(searchInnertube(context(), { query: 'x', limit: 5 })).rejects.toMatchObject({ code: 'upstream_error' })
})

test('pages that never end and bring nothing are given up', async () => {
  const more = { continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token: 'again' } } } }
  answers = {
    search: json({ onResponseReceivedCommands: [{ appendContinuationItemsAction: { continuationItems: [more] } }] }),
  }
  expect(await searchInnertube(context(), { query: 'x', limit: 5 })).toEqual([])
  expect(asked.length).toBeLessThanOrEqual(6)
})

test('a search for the last hour leaves out what says itself older', async () => {
  const video = (videoId: string, age: string) => ({
    videoRenderer: { videoId, title: { simpleText: 'T' }, publishedTimeText: { simpleText: age } },
  })
  answers = { search: firstPage([video('a', '12 minutes ago'), video('b', '3 days ago'), video('c', '1 hour ago')]) }
  const rows = await searchInnertube(context(), { query: 'x', limit: 5, uploaded: 'last_hour' })
  expect(rows.map((r) => r.videoId)).toEqual(['a'])
})

test('the library writes nothing to the console', async () => {
  const written = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error'), vi.spyOn(console, 'info')]
  answers = { next: json({ contents: { unheardOfRenderer: {} } }), player: player({}) }
  await fetchInnertubeVideo(context(), ID)
  for (const spy of written) expect(spy).not.toHaveBeenCalled()
})
