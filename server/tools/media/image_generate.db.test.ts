import { describe, expect, test } from 'vitest'
import { creditsForMedia, hostedBytes, withMedia } from '../../../tests/support/media'
import { describeParams } from '../params'
import { imageGenerate, makeImageGenerate } from './image_generate'
import { probeImage } from './probe'

const { call, cancelled } = withMedia()

const CHAT = 'palette/umber-1'
const FIXED = 'palette/ochre-fast'
const ROUTED = 'palette/sienna-wide'
const QUEUED = 'palette/sepia-queue'

const impatient = makeImageGenerate({ budgetMs: 1_500, graceMs: 700, firstMs: 50, maxMs: 100 })
const draw = (prompt: string, given: object = {}, tool = imageGenerate) => call(tool, { prompt, ...given })

describe('a image', () => {
  test.each([
    [CHAT, '1:1', '1:1', 0.0287],
    [CHAT, '16:9', '16:9', 0.0287],
    [CHAT, '21:9', '16:9', 0.0287],
    [CHAT, '4:5', '2:3', 0.0287],
    [FIXED, '16:9', '3:2', 0.011],
    [FIXED, '21:9', '3:2', 0.011],
    [FIXED, '4:3', '3:2', 0.011],
    [FIXED, '9:16', '2:3', 0.011],
    [FIXED, '1:1', '1:1', 0.011],
    [ROUTED, '16:9', '16:9', 0.0287],
    [ROUTED, '21:9', '21:9', 0.0287],
    [QUEUED, '5:4', '4:3', 0.02],
  ])('of %s asked for in %s is made in %s, hosted, and costs what it cost', async (model, asked, made, usd) => {
    const { result, charged } = await draw('a tide table', { model, aspectRatio: asked })
    expect(imageGenerate.output.parse(result)).toEqual(result)
    expect(result).toMatchObject({ model, aspectRatio: made, contentType: 'image/png' })
    expect(charged).toBe(creditsForMedia(usd))
    const bytes = await hostedBytes(result.url)
    expect(result.url).toMatch(/^https:\/\/gateway\.example\/files\/[0-9a-f]{32}\.png$/)
    expect(probeImage(bytes)).toMatchObject({ width: result.width, height: result.height })
    expect(bytes.length).toBe(result.bytes)
  })

  test('is square and of the first model where nothing else is said', async () => {
    expect((await draw('a tide table')).result).toMatchObject({ model: CHAT, aspectRatio: '1:1', width: 1024 })
  })

  test('that comes as a short-lived URL is kept, whatever type it claims', async () => {
    const { result } = await draw('sandbox:url', { model: FIXED })
    expect(probeImage(await hostedBytes(result.url))).toMatchObject({ contentType: 'image/png', width: 1024 })
  })

  test('costs the table’s price where the provider names none, or one beyond belief', async () => {
    expect(await draw('sandbox:nocost')).toMatchObject({ code: 'ok', charged: creditsForMedia(0.04) })
    expect(await draw('sandbox:beyond')).toMatchObject({ code: 'ok', charged: creditsForMedia(0.04) })
  })
})

describe('money', () => {
  test('a image dearer than its hold is charged in full where there is enough', async () => {
    expect(await draw('sandbox:expensive')).toMatchObject({ code: 'ok', charged: creditsForMedia(0.4) })
  })

  test('402 mid-call takes what there is and keeps the result back', async () => {
    const outcome = await call(imageGenerate, { prompt: 'sandbox:expensive' }, 100)
    expect(outcome).toMatchObject({ code: 'insufficient_credits', charged: 100, result: {} })
  })

  test('402 before anything ran where the hold does not fit', async () => {
    const hold = creditsForMedia(0.04)
    expect(await call(imageGenerate, { prompt: 'x' }, hold - 1)).toMatchObject({
      code: 'insufficient_credits',
      charged: null,
    })
    expect(await call(imageGenerate, { prompt: 'x' }, hold)).toMatchObject({ code: 'ok' })
  })
})

describe('a refusal', () => {
  test.each([
    [{}],
    [{ prompt: '' }],
    [{ prompt: '   ' }],
    [{ prompt: 7 }],
    [{ prompt: 'x'.repeat(32_001) }],
    [{ prompt: 'x', aspectRatio: '7:5' }],
    [{ prompt: 'x', aspectRatio: '' }],
    [{ prompt: 'x', model: '' }],
    [{ prompt: 'x', n: 2 }],
  ])('400 for %j', async (params) => {
    expect(await call(imageGenerate, params)).toMatchObject({ code: 'invalid_request', charged: null })
  })

  test.each([
    ['northwind/gale-4', /northwind\/gale-4 is a model for chat/],
    ['lumiere/reel-2', /lumiere\/reel-2 is a model for video/],
    ['nobody/nothing', /There is no model "nobody\/nothing"/],
  ])('unknown_model for %s, with those that fit', async (model, message) => {
    const outcome = await draw('x', { model })
    expect(outcome).toMatchObject({ code: 'unknown_model', charged: null })
    expect(outcome.message).toMatch(message)
    expect(outcome.message).toMatch(/These make images: palette\/umber-1, palette\/ochre-fast/)
  })
})

test.each([CHAT, FIXED])('a request that the provider of %s refuses is a 400, and void', async (model) => {
  const outcome = await draw('sandbox:policy', { model })
  expect(outcome).toMatchObject({ code: 'invalid_request', charged: null })
  expect(outcome.message).toMatch(/refused the request: Your request was rejected/)
})

describe('a failure is a 502 at its real cost', () => {
  const failed = (message: RegExp, charged = 0) => ({
    code: 'upstream_error',
    message: expect.stringMatching(message),
    charged,
  })

  test.each([
    ['says no', CHAT, 'sandbox:refuse', failed(/made no image.*I can't create that image/, creditsForMedia(0.0000243))],
    ['makes nothing', FIXED, 'sandbox:refuse', failed(/made no image/)],
    ['is moderated', QUEUED, 'sandbox:policy', failed(/refused the request: The content could not be processed/)],
    ['has an error in a 200', CHAT, 'sandbox:200', failed(/The provider of palette\/umber-1 failed/)],
    ['has a fault', FIXED, 'sandbox:500', failed(/The provider of palette\/ochre-fast failed/)],
    ['is not let in', FIXED, 'sandbox:key', failed(/The provider of palette\/ochre-fast failed/)],
    ['is out of money', QUEUED, 'sandbox:balance', failed(/The provider of palette\/sepia-queue failed/)],
    ['is out of quota', FIXED, 'sandbox:quota', failed(/overloaded/)],
    ['is busy', CHAT, 'sandbox:429', failed(/overloaded/)],
    ['answers with a page', FIXED, 'sandbox:html', failed(/failed/)],
    ['answers with a page', CHAT, 'sandbox:html', failed(/failed/)],
    ['talks nonsense', CHAT, 'sandbox:nonsense', failed(/failed/)],
    ['talks nonsense', FIXED, 'sandbox:nonsense', failed(/made no image/)],
    ['talks nonsense', QUEUED, 'sandbox:nonsense', failed(/failed/)],
    ['fails at its job', QUEUED, 'sandbox:fail', failed(/failed/)],
    ['fails at its result', QUEUED, 'sandbox:504', failed(/failed/)],
    ['sends no image', CHAT, 'sandbox:garbage', failed(/not an image/, creditsForMedia(0.0287))],
    ['sends no image', FIXED, 'sandbox:garbage', failed(/not an image/, creditsForMedia(0.011))],
    ['sends no image', QUEUED, 'sandbox:garbage', failed(/not an image/, creditsForMedia(0.02))],
    ['blacks it out', QUEUED, 'sandbox:nsfw', failed(/blacked out/, creditsForMedia(0.02))],
    [
      'names a private address',
      CHAT,
      'sandbox:private',
      failed(/cannot be fetched \(blocked\)/, creditsForMedia(0.0287)),
    ],
    [
      'names a private address',
      FIXED,
      'sandbox:private',
      failed(/cannot be fetched \(blocked\)/, creditsForMedia(0.011)),
    ],
    [
      'names a private address',
      QUEUED,
      'sandbox:private',
      failed(/cannot be fetched \(blocked\)/, creditsForMedia(0.02)),
    ],
    ['names a dead address', FIXED, 'sandbox:url sandbox:gone', failed(/HTTP 403/, creditsForMedia(0.011))],
  ])('when the provider %s: %s, %s', async (_what, model, prompt, expected) => {
    const outcome = await draw(prompt, { model })
    expect(outcome).toMatchObject(expected)
    expect(outcome.message).not.toMatch(/sk-|user_|org-|00000000-|10\.0\.0\.1|html/)
  })

  test.each([CHAT, FIXED])('when %s is too slow, in time', async (model) => {
    expect(await draw('sandbox:slow', { model }, impatient)).toMatchObject(failed(/in time/))
  })

  test('a queued job that is out of time is taken from the queue, for nothing', async () => {
    const before = await cancelled()
    expect(await draw('sandbox:queued', { model: QUEUED }, impatient)).toMatchObject(failed(/not done in time/))
    expect(await cancelled()).toBe(before + 1)
  })

  test('a running job that is out of time gets a request to stop, and is billed as the provider does', async () => {
    const before = await cancelled()
    const outcome = await draw('sandbox:never', { model: QUEUED }, impatient)
    expect(outcome).toMatchObject(failed(/not done in time/, creditsForMedia(0.02)))
    expect(await cancelled()).toBe(before + 1)
  })
})

test('the catalog lists the parameters of the interface', () => {
  expect(describeParams(imageGenerate).map(({ name, required }) => [name, required])).toEqual([
    ['prompt', true],
    ['aspectRatio', false],
    ['model', false],
  ])
  expect(describeParams(imageGenerate)[1]?.type).toMatch(/^"1:1" \| "2:3" \| .* \| "21:9"$/)
})
