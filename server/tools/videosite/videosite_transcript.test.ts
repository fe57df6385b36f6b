import { expect, test } from 'vitest'
import { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { toolResult } from '../../../tests/support/run-tool'
import { describeParams } from '../params'
import { selectCaptionTrack } from './transcript'
import { videositeTranscript } from './videosite_transcript'

withSandboxProviders()

const transcript = async (params: object) => Transcript.parse(await toolResult(videositeTranscript, params))

const Transcript = z.object({
  videoId: z.string(),
  segmentCount: z.int(),
  wordCount: z.int(),
  segments: z.array(z.object({ t: z.number(), ts: z.string(), text: z.string() })),
})

test('the lines come with their times; chapters, entities and empty lines do not', async () => {
  const { videoId, segments } = await transcript({ videoId: 'https://youtu.be/sandbox0005' })
  expect(videoId).toBe('sandbox0005')
  expect(segments.slice(0, 2)).toMatchObject([
    { t: 1.5, ts: '0:01' },
    { t: 14, ts: '0:14' },
  ])
  expect(segments.map(({ text }) => text)).toContain('[Music]')
  for (const { text } of segments) expect(text).toMatch(/^(?!Intro$)(?!.*(&amp;|\n)).+/)
})

test('the counts match the segments', async () => {
  const { segments, segmentCount, wordCount } = await transcript({ videoId: 'sandbox0007' })
  expect(segmentCount).toBe(segments.length)
  expect(wordCount).toBe(
    segments
      .map((s) => s.text)
      .join(' ')
      .split(/\s+/).length,
  )
})

test('where the transcript is refused, the caption track says the same', async () => {
  const [shown, captions] = [await transcript({ videoId: 'sandbox0005' }), await transcript({ videoId: 'sandboxtext' })]
  expect(captions).toEqual({ ...shown, videoId: 'sandboxtext' })
})

test.each([
  ['sandboxnocc', 'This video has no captions, so it has no transcript.'],
  ['sandboxnull', 'This video has captions, but the video site does not return them to this gateway. Try again later.'],
  ['sandboxpriv', 'This video is private.'],
  ['sandboxmemb', 'This video is for paying members of its channel only.'],
  ['sandboxages', 'This video is shown to signed-in adults only.'],
  ['sandboxgeos', 'This video is not available in the country of this gateway.'],
  ['nosuchvideo', "There is no such video, or it was removed (This video isn't available any more)."],
  ['sandboxhtml', 'The video site sent invalid JSON.'],
  ['sandboxjson', 'The video site sent a response of an unknown format.'],
  ['sandbox-429', 'The video site limits the request rate of this gateway. Try again in 60 seconds.'],
  ['sandbox-500', 'The video site returned an error (HTTP 500). Try again later.'],
])('%s is an upstream_error: %s', async (videoId, message) => {
  await expect(transcript({ videoId })).rejects.toMatchObject({ code: 'upstream_error', message })
})

const track = (languageCode: string, kind: string | null = null) => ({ baseUrl: '', languageCode, kind })

test.each([
  ['the hand-made one of the spoken language', [track('es'), track('de', 'asr'), track('de')], track('de')],
  ['a hand-made one before a machine-made one', [track('en', 'asr'), track('es')], track('es')],
  ['English when the spoken language is unknown', [track('es'), track('en')], track('en')],
  ['the machine-made one when there is no other', [track('fr', 'asr')], track('fr', 'asr')],
  ['none', [], undefined],
])('it selects %s', (_name, tracks, best) => {
  expect(selectCaptionTrack(tracks)).toEqual(best)
})

test.each([{}, { videoId: 'x' }, { videoId: null }, { videoId: 'sandbox0005', lang: 'en' }])('refuses %j', (params) => {
  expect(videositeTranscript.params.safeParse(params).success).toBe(false)
})

test('lists its parameter as the contract has it', () => {
  expect(describeParams(videositeTranscript)).toMatchObject([{ name: 'videoId', type: 'string', required: true }])
})
