import { describe, expect, test } from 'vitest'
import { creditsForMedia, hostedBytes, withMedia } from '../../../tests/support/media'
import { describeParams } from '../params'
import { probeVideo } from './probe'
import { makeVideoGenerate, videoGenerate } from './video_generate'

const { call, cancelled } = withMedia()

const PLAIN = 'lumiere/reel-2'
const ROUTED = 'lumiere/reel-2-lite'
const QUEUED = 'lumiere/flipbook-queue'

/** The same tool by a faster clock. */
const brisk = makeVideoGenerate({ budgetMs: 8_000, graceMs: 1_500, firstMs: 10, maxMs: 30 })
const impatient = makeVideoGenerate({ budgetMs: 2_000, graceMs: 1_500, firstMs: 10, maxMs: 30 })
const video = (prompt: string, given: object = {}, tool = brisk) => call(tool, { prompt, ...given })

describe('a video', () => {
  test.each([
    [
      'the default model’s own',
      {},
      { model: PLAIN, durationSeconds: 8, resolution: '720p', aspectRatio: '16:9' },
      0.64,
    ],
    ['longer than it makes', { durationSeconds: 1_000 }, { durationSeconds: 30 }, 2.4],
    ['shorter than it makes', { durationSeconds: -5 }, { durationSeconds: 2 }, 0.16],
    ['in 4k', { durationSeconds: 2, resolution: '4k' }, { resolution: '4k', durationSeconds: 2 }, 0.8],
    ['in a resolution it lacks', { durationSeconds: 2, resolution: '480p' }, { resolution: '720p' }, 0.16],
    ['upright', { durationSeconds: 2, aspectRatio: '2:3' }, { aspectRatio: '9:16' }, 0.16],
    ['very wide', { durationSeconds: 2, aspectRatio: '21:9' }, { aspectRatio: '16:9' }, 0.16],
    ['of a list, between two', { model: ROUTED, durationSeconds: 6 }, { durationSeconds: 4, resolution: '720p' }, 0.1],
    [
      'of a list, beyond',
      { model: ROUTED, durationSeconds: 60, resolution: '480p' },
      { durationSeconds: 8, resolution: '480p' },
      0.2,
    ],
    ['of a list, its first', { model: ROUTED, resolution: '2k' }, { durationSeconds: 4, resolution: '720p' }, 0.1],
    [
      'of a queue',
      { model: QUEUED, aspectRatio: '1:1', durationSeconds: 5 },
      { durationSeconds: 4, aspectRatio: '1:1' },
      0.16,
    ],
  ])('%s', async (_name, params, made, usd) => {
    const { result, charged, message } = await video('waves', params)
    expect(message).toBe('')
    expect(brisk.output.parse(result)).toEqual(result)
    expect(result).toMatchObject({ ...made, contentType: 'video/mp4' })
    expect(charged).toBe(creditsForMedia(usd))
    const bytes = await hostedBytes(result.url)
    expect(result.url).toMatch(/\.mp4$/)
    expect(probeVideo(bytes)).toMatchObject({ contentType: 'video/mp4', hasSound: false })
    expect(bytes.length).toBe(result.bytes)
  })

  test.each([
    [PLAIN, 0.16 * 1.5],
    [QUEUED, 0.16 * 2],
  ])('of %s with sound costs the factor', async (model, usd) => {
    expect(await video('sandbox:sound', { model, durationSeconds: 2 })).toMatchObject({
      code: 'ok',
      charged: creditsForMedia(usd),
    })
  })

  test('holds the highest price it can reach, sound and all', async () => {
    const params = { prompt: 'sandbox:sound', durationSeconds: 2 }
    const hold = creditsForMedia(0.24)
    expect(await call(brisk, params, hold - 1)).toMatchObject({ code: 'insufficient_credits', charged: null })
    expect(await call(brisk, params, hold)).toMatchObject({ code: 'ok', charged: hold })
  })

  test('402 mid-call for a video dearer than its hold', async () => {
    const outcome = await call(brisk, { prompt: 'sandbox:expensive', model: ROUTED }, 500)
    expect(outcome).toMatchObject({ code: 'insufficient_credits', charged: 500, result: {} })
  })
})

describe('a refusal', () => {
  test.each([
    [{}],
    [{ prompt: ' ' }],
    [{ prompt: 'x', aspectRatio: '2:1' }],
    [{ prompt: 'x', durationSeconds: 2.5 }],
    [{ prompt: 'x', durationSeconds: '8' }],
    [{ prompt: 'x', resolution: '8k' }],
    [{ prompt: 'x', resolution: '2160p' }],
    [{ prompt: 'x', model: 3 }],
    [{ prompt: 'x', fps: 24 }],
  ])('400 for %j', async (params) => {
    expect(await call(brisk, params)).toMatchObject({ code: 'invalid_request', charged: null })
  })

  test.each(['palette/umber-1', 'tidepool/kelp-ocean', 'x'])('unknown_model for %s', async (model) => {
    const outcome = await video('x', { model })
    expect(outcome).toMatchObject({ code: 'unknown_model', charged: null })
    expect(outcome.message).toMatch(/These make videos: lumiere\/reel-2, lumiere\/reel-2-lite/)
  })
})

test('a request that the provider refuses is a 400, and void', async () => {
  const outcome = await video('sandbox:policy', { model: PLAIN })
  expect(outcome).toMatchObject({ code: 'invalid_request', charged: null })
  expect(outcome.message).toMatch(/refused the request/)
})

describe('a failure is a 502 at its real cost', () => {
  const failed = (message: RegExp, charged = 0) => ({
    code: 'upstream_error',
    message: expect.stringMatching(message),
    charged,
  })

  test.each([
    ['fails', PLAIN, 'sandbox:fail', failed(/refused the request: Your request was blocked/)],
    ['fails', ROUTED, 'sandbox:fail', failed(/refused the request: Content policy violation/)],
    ['fails', QUEUED, 'sandbox:fail', failed(/The provider of lumiere\/flipbook-queue failed/)],
    ['is moderated', QUEUED, 'sandbox:policy', failed(/flagged by a content checker/)],
    ['has a fault', PLAIN, 'sandbox:500', failed(/failed/)],
    ['answers with a page', ROUTED, 'sandbox:html', failed(/failed/)],
    ['talks nonsense', PLAIN, 'sandbox:nonsense', failed(/failed/)],
    ['talks nonsense', QUEUED, 'sandbox:nonsense', failed(/failed/)],
    ['sends no video', PLAIN, 'sandbox:garbage', failed(/not an MP4 video/, creditsForMedia(0.64))],
    ['sends no video', QUEUED, 'sandbox:garbage', failed(/not an MP4 video/, creditsForMedia(0.16))],
    ['loses it', PLAIN, 'sandbox:gone', failed(/HTTP 404/, creditsForMedia(0.64))],
    ['leads to a private address', PLAIN, 'sandbox:private', failed(/redirect_blocked/, creditsForMedia(0.64))],
    ['names a private address', QUEUED, 'sandbox:private', failed(/blocked/, creditsForMedia(0.16))],
  ])('when the provider %s: %s, %s', async (_what, model, prompt, expected) => {
    const outcome = await video(prompt, { model })
    expect(outcome).toMatchObject(expected)
    expect(outcome.message).not.toMatch(/00000000-|10\.0\.0\.1|html|gen-/)
  })

  test.each([
    ['begun, so it is billed', PLAIN, 'sandbox:never', creditsForMedia(0.96), 1],
    ['not begun, so it is free', PLAIN, 'sandbox:queued', 0, 1],
    ['begun, at a router that stops nothing', ROUTED, 'sandbox:never', creditsForMedia(0.2), 0],
    ['begun, in a queue', QUEUED, 'sandbox:never', creditsForMedia(0.32), 1],
    ['not begun, in a queue', QUEUED, 'sandbox:queued', 0, 1],
  ])('a job out of time is cancelled: %s (%s)', async (_name, model, prompt, charged, stopped) => {
    const before = await cancelled()
    expect(await video(prompt, { model }, impatient)).toMatchObject(failed(/not done in time/, charged))
    expect(await cancelled()).toBe(before + stopped)
  })

  test('a provider that falls silent is given up, its job cancelled', async () => {
    const before = await cancelled()
    expect(await video('sandbox:silent')).toMatchObject(failed(/did not report|not done in time/))
    expect(await cancelled()).toBe(before + 1)
  })
})

test('is not for MCP, and has 280 seconds', () => {
  expect(videoGenerate).toMatchObject({ mcp: false, timeoutMs: 280_000 })
})

test('the catalog lists the parameters of the interface', () => {
  expect(describeParams(videoGenerate).map(({ name, type, required }) => [name, type, required])).toEqual([
    ['prompt', 'string', true],
    ['aspectRatio', expect.stringMatching(/^"1:1" \| .* \| "21:9"$/), false],
    ['durationSeconds', 'integer', false],
    ['resolution', '"480p" | "768p" | "720p" | "1080p" | "2k" | "4k"', false],
    ['model', 'string', false],
  ])
})
