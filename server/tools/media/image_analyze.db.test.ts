import { describe, expect, test } from 'vitest'
import { creditsForMedia, withMedia } from '../../../tests/support/media'
import { makeOwner } from '../../../tests/support/owners'
import { hostFile } from '../../files/put'
import { findModel } from '../../models/registry'
import { makeImageFile } from '../../sandbox/media/image-file'
import { describeParams } from '../params'
import { imageAnalyze } from './image_analyze'

const { call, url } = withMedia()

const LOOKING = 'northwind/gale-4'
const inline = `data:image/png;base64,${(await makeImageFile('a gate', { width: 64, height: 64 })).toString('base64')}`
const script = (fields: object) => `What is this? [[sandbox ${JSON.stringify(fields)}]]`
const look = (given: object = {}) => call(imageAnalyze, { source: inline, ...given })

/** Credits of so many tokens at the looking model's own price. */
function priceOf(inputTokens: number, outputTokens: number): number {
  const model = findModel(LOOKING)
  if (!model) throw new Error(`${LOOKING} is not there`)
  return creditsForMedia((inputTokens * model.usdPer1mInput + outputTokens * model.usdPer1mOutput) / 1e6)
}

describe('a image', () => {
  test('sent inline is looked at by the first model that sees', async () => {
    const { code, result, charged } = await look({ question: script({ text: 'A gate.' }) })
    expect(code).toBe('ok')
    expect(imageAnalyze.output.parse(result)).toEqual({ text: 'A gate.', model: LOOKING })
    expect(charged).toBeGreaterThan(0)
  })

  test('without a question is described', async () => {
    const { text } = (await look()).result
    expect(text).toMatch(/PNG image of 64 × 64 pixels\. The sandbox drew it for “a gate”: a toll gate/)
    expect(text).toMatch(/main colors are/)
  })

  test('at a URL is fetched here and sent inline', async () => {
    const source = `${url()}/media/image?prompt=gate&width=64&height=64`
    const { code, message, result } = await look({ source, question: script({ text: 'A gate.' }) })
    expect([code, message]).toEqual(['ok', ''])
    expect(result.text).toBe('A gate.')
  })
})

describe('an image that this service hosts', () => {
  test('is read from its storage, also where nothing can reach the service by its address', async () => {
    const bytes = await makeImageFile('a gate', { width: 64, height: 64 })
    const { url: source } = await hostFile({ ownerId: (await makeOwner(0)).id, bytes, contentType: 'image/png' })
    const { code, message, result } = await look({ source, question: script({ text: 'A gate.' }) })
    expect([code, message, result.text]).toEqual(['ok', '', 'A gate.'])
    const missing = await look({ source: source.replace(/[0-9a-f]{4}\.png$/, '0000.png') })
    expect(missing.code).not.toBe('ok')
  })
})

describe('money', () => {
  test('charges the tokens at the model’s own price, with the markup', async () => {
    const usage = { prompt_tokens: 10_000, completion_tokens: 100 }
    expect(await look({ question: script({ text: 'A gate.', usage }) })).toMatchObject({
      charged: priceOf(10_000, 100),
    })
  })

  test('402 mid-call takes what there is and keeps the answer back', async () => {
    const usage = { prompt_tokens: 900_000, completion_tokens: 2_000 }
    const outcome = await call(imageAnalyze, { source: inline, question: script({ text: 'Dear.', usage }) }, 100)
    expect(outcome).toMatchObject({ code: 'insufficient_credits', charged: 100, result: {} })
  })

  test('402 before anything ran where the hold does not fit', async () => {
    expect(await call(imageAnalyze, { source: inline }, 1)).toMatchObject({
      code: 'insufficient_credits',
      charged: null,
    })
  })
})

describe('a refusal', () => {
  test.each([
    [{}],
    [{ source: '' }],
    [{ source: 7 }],
    [{ source: 'data:image/png;base64,AAAA' }],
    [{ source: 'data:text/plain;base64,aGVsbG8=' }],
    [{ source: `https://example.com/${'x'.repeat(5_000)}` }],
    [{ source: 'ftp://example.com/x.png' }],
    [{ source: 'http://127.0.0.1:22/x.png' }],
    [{ source: 'http://[::1]/x.png' }],
    [{ source: inline, question: '' }],
    [{ source: inline, question: 'x'.repeat(32_001) }],
    [{ source: inline, model: LOOKING }],
  ])('400 without a charge: %j', async (params) => {
    expect(await call(imageAnalyze, params)).toMatchObject({ code: 'invalid_request', charged: null })
  })
})

describe('a failure is a 502', () => {
  test.each([
    ['the provider is overloaded', { status: 503 }],
    ['the provider limits us', { status: 429 }],
    ['an error comes with 200', { errorBody200: true }],
  ])('when %s, for nothing', async (_what, fields) => {
    expect(await look({ question: script(fields) })).toMatchObject({ code: 'upstream_error', charged: 0 })
  })

  test('when the model says nothing, at its real cost', async () => {
    const usage = { prompt_tokens: 5_000, completion_tokens: 1 }
    const { code, charged } = await look({ question: script({ text: '', usage }) })
    expect([code, charged]).toEqual(['upstream_error', priceOf(5_000, 1)])
  })

  test.each([
    ['the URL is dead', '/media/nowhere'],
    ['there is a page, not a image', '/site/'],
  ])('when %s', async (_what, path) => {
    expect(await look({ source: `${url()}${path}` })).toMatchObject({ code: 'upstream_error', charged: 0 })
  })
})

test('is listed with its two parameters', () => {
  expect(describeParams(imageAnalyze)).toMatchObject([
    { name: 'source', type: 'string', required: true },
    { name: 'question', type: 'string', required: false },
  ])
})
