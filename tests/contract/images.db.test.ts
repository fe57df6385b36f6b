import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateImage } from 'ai'
import OpenAI, { APIError, BadRequestError, PermissionDeniedError } from 'openai'
import { describe, expect, it } from 'vitest'
import { creditsForUsd } from '../../server/credits/price'
import { env } from '../../server/env'
import { makeSecret } from '../../server/keys/secret'
import type { NewKey } from '../../server/keys/shape'
import { uuidv7 } from '../../server/kit/id'
import { probeImage } from '../../server/tools/media/probe'
import { send, type TestResponse, withSandbox } from '../support/api'
import { expectChatError, receiptOf } from '../support/chat'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import { fetchFromListener } from '../support/listener'
import { hostedBytes } from '../support/media'
import { makeCaller } from '../support/owners'

const sandbox = withSandbox()
const PATH = '/api/v1/images/generations'
const CHAT = 'palette/umber-1'
const FIXED = 'palette/ochre-fast'
const ROUTED = 'palette/sienna-wide'

const credits = (usd: number) => Number(creditsForUsd(usd))
/** What an image of these costs: as its provider reports, the second as the registry says. */
const PRICE: Record<string, number> = { [CHAT]: credits(0.0287), [FIXED]: credits(0.011), [ROUTED]: credits(0.0287) }

const makePainter = (given = 100_000, settings: Partial<NewKey> = {}) => makeCaller(given, { llm: true, ...settings })
const paint = (key: string, body: object = {}, headers: Record<string, string> = {}) =>
  send(PATH, { key, body: { prompt: 'a tide table', ...body }, headers })

type Made = { url?: string; b64_json?: string }
const dataOf = ({ body }: TestResponse) => body.data as Made[]
const chargeOf = ({ body }: TestResponse) => (body.service as { credits_charged: number }).credits_charged

describe('200', () => {
  it.each([
    [CHAT, undefined, 1024, 1024],
    [CHAT, '1792x1024', 1480, 832],
    [FIXED, 'auto', 1024, 1024],
    [FIXED, '512x512', 1024, 1024],
    [FIXED, '1792x1024', 1536, 1024],
    [FIXED, '1024x1792', 1024, 1536],
    [ROUTED, '1024x1024', 768, 768],
  ])('is answered by %s to the size %s with the nearest it makes', async (model, size, width, height) => {
    const { owner, key } = await makePainter()
    const answer = await paint(key.key, { model, size })
    expect(answer).toMatchObject({ status: 200, body: { size: `${width}x${height}`, output_format: 'png' } })
    expect(Math.abs(Number(answer.body.created) - Date.now() / 1000)).toBeLessThan(60)
    const [image] = dataOf(answer)
    expect(probeImage(await hostedBytes(image?.url))).toMatchObject({ width, height })
    expect(chargeOf(answer)).toBe(PRICE[model])
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: PRICE[model], held: 0, receipts: 1, holds: 0 })
  })

  it('is answered by the first model where none is named, in bytes where asked for', async () => {
    const { owner, key } = await makePainter()
    const answer = await paint(key.key, { response_format: 'b64_json', n: null, size: null, model: null })
    expect(Object.keys(answer.body).sort()).toEqual(['created', 'data', 'output_format', 'service', 'size'])
    const [image] = dataOf(answer)
    expect(Object.keys(image ?? {})).toEqual(['b64_json'])
    expect(probeImage(Buffer.from(image?.b64_json ?? '', 'base64'))).toMatchObject({ width: 1024 })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: PRICE[CHAT], held: 0 })
  })

  it.each([2, 4])('has %i images for as many times the price, under one hold', async (n) => {
    const { owner, key } = await makePainter()
    const answer = await paint(key.key, { n, model: FIXED })
    expect(new Set(dataOf(answer).map(({ url }) => url)).size).toBe(n)
    const charged = credits(0.011 * n)
    expect(chargeOf(answer)).toBe(charged)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged, held: 0, receipts: 1 })
    expect(await receiptOf(key.key, answer)).toMatchObject({
      what: 'image_generate',
      channel: 'images',
      status: 'ok',
      credits: { held: charged, charged },
    })
  })

  it('charges those that were made where others failed', async () => {
    const { owner, key } = await makePainter()
    const answer = await paint(key.key, { n: 4, model: FIXED, prompt: 'sandbox:alternate' })
    expect(answer.status).toBe(200)
    expect(dataOf(answer)).toHaveLength(2)
    expect(chargeOf(answer)).toBe(credits(0.022))
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: credits(0.022), held: 0 })
    expect(await receiptOf(key.key, answer)).toMatchObject({ credits: { held: credits(0.044) } })
  })

  it('takes what other clients send, and does not let it change the price', async () => {
    const { owner, key } = await makePainter()
    const answer = await paint(key.key, {
      model: FIXED,
      quality: 'high',
      style: 'vivid',
      background: 'transparent',
      moderation: 'low',
      output_format: 'webp',
      output_compression: 50,
      partial_images: 0,
      user: 'somebody',
      stream: false,
    })
    expect(answer).toMatchObject({ status: 200, body: { output_format: 'png' } })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: PRICE[FIXED] })
  })

  it('is replayed for a known Idempotency-Key, with no second charge', async () => {
    const { owner, key } = await makePainter()
    const token = { 'idempotency-key': uuidv7() }
    const first = await paint(key.key, {}, token)
    const again = await paint(key.key, {}, token)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again).toMatchObject({ status: 200, body: first.body })
    expect(await paint(key.key, { n: 2 }, token)).toMatchObject({ status: 422 })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: PRICE[CHAT], receipts: 1 })
  })

  it.each([
    ['the scope llm', { llm: true, tools: [] }],
    ['the scope llm with this model', { llm: true, tools: [], allowedModels: [FIXED] }],
    ['the tool', { llm: false, tools: ['image_generate'] }],
    ['the tool, whatever its models', { llm: true, tools: ['image_generate'], allowedModels: [CHAT] }],
  ])('is answered to a key with %s', async (_name, settings) => {
    const { key } = await makePainter(1_000, settings)
    expect(await paint(key.key, { model: FIXED })).toMatchObject({ status: 200 })
  })
})

describe('the openai SDK', () => {
  const client = (key: string) =>
    new OpenAI({ baseURL: 'http://127.0.0.1:3000/api/v1', apiKey: key, fetch: fetchFromListener, maxRetries: 0 })

  it('generates, with the charge next to the images', async () => {
    const { owner, key } = await makePainter()
    const made = await client(key.key).images.generate({
      prompt: 'a tide table',
      model: FIXED,
      n: 2,
      size: '1536x1024',
    })
    expect(made.data).toHaveLength(2)
    expect(made.data?.[0]?.url).toContain('/files/')
    expect(made).toMatchObject({ service: { credits_charged: credits(0.022) }, _request_id: expect.any(String) })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: credits(0.022), held: 0 })
  })

  it('throws its own exceptions', async () => {
    const { key } = await makePainter(1_000, { llm: false, tools: [] })
    const poor = await makePainter(1)
    const ask = (using: string, more: object) => client(using).images.generate({ prompt: 'x', ...more })
    await expect(ask(key.key, {})).rejects.toBeInstanceOf(PermissionDeniedError)
    await expect(ask(key.key, { n: 5 })).rejects.toBeInstanceOf(BadRequestError)
    await expect(ask(poor.key.key, {})).rejects.toMatchObject({ status: 402, code: 'insufficient_credits' })
    await expect(ask(poor.key.key, {})).rejects.toBeInstanceOf(APIError)
  })
})

describe('the ai SDK', () => {
  it('generates, and downloads what was made', async () => {
    const { owner, key } = await makePainter()
    const baseURL = `${env().PUBLIC_URL}/api/v1`
    const gate = createOpenAICompatible({ name: 'gate', baseURL, apiKey: key.key, fetch: fetchFromListener })
    const { images } = await generateImage({
      model: gate.imageModel(FIXED),
      prompt: 'a tide table',
      n: 2,
      size: '1024x1024',
    })
    for (const { uint8Array } of images) expect(probeImage(Buffer.from(uint8Array))).toMatchObject({ width: 1024 })
    expect(images).toHaveLength(2)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: credits(0.022), held: 0 })
  })
})

describe('400', () => {
  it.each([
    ['no prompt', { prompt: undefined }, 'prompt'],
    ['an empty prompt', { prompt: '  ' }, 'prompt'],
    ['a prompt that is too long', { prompt: 'x'.repeat(32_001) }, 'prompt'],
    ['five images', { n: 5 }, 'n'],
    ['no images', { n: 0 }, 'n'],
    ['half an image', { n: 1.5 }, 'n'],
    ['a word for a size', { size: 'large' }, 'size'],
    ['a size of nothing', { size: '0x100' }, 'size'],
    ['another format', { response_format: 'png' }, 'response_format'],
    ['a stream', { stream: true }, 'stream'],
  ])('is answered to %s', async (_name, body, param) => {
    const { owner, key } = await makePainter(1_000)
    const answer = await paint(key.key, body)
    expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
    expect(answer.body.error).toMatchObject({ param })
    await expectUntouched(owner)
  })

  it('names a parameter that nobody knows', async () => {
    const { owner, key } = await makePainter(1_000)
    const answer = await paint(key.key, { seed: 7 })
    expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
    expect((answer.body.error as { message: string }).message).toContain('seed')
    await expectUntouched(owner)
  })

  it.each([
    ['northwind/gale-4', /northwind\/gale-4 is a model for chat/],
    ['lumiere/reel-2', /lumiere\/reel-2 is a model for video/],
    ['nobody/nothing', /There is no model "nobody\/nothing"/],
  ])('names the models that make images, to %s', async (model, message) => {
    const { owner, key } = await makePainter(1_000)
    const answer = await paint(key.key, { model })
    expectChatError(answer, 400, 'unknown_model', 'invalid_request_error')
    const error = answer.body.error as { message: string; param: string }
    expect(error.param).toBe('model')
    expect(error.message).toMatch(message)
    expect(error.message).toMatch(/These make images: palette\/umber-1, palette\/ochre-fast/)
    await expectUntouched(owner)
  })
})

describe('other refusals, without a charge', () => {
  it('401, 405, 413 and 415', async () => {
    const { owner, key } = await makePainter(1_000)
    expectChatError(await paint(makeSecret()), 401, 'unauthorized', 'authentication_error')
    const wrong = await send(PATH, { key: key.key })
    expectChatError(wrong, 405, 'method_not_allowed', 'invalid_request_error')
    expect(wrong.headers.get('allow')).toBe('POST')
    const large = await paint(key.key, { prompt: 'x'.repeat(1024 * 1024) })
    expectChatError(large, 413, 'payload_too_large', 'invalid_request_error')
    const type = await paint(key.key, {}, { 'content-type': 'text/plain' })
    expectChatError(type, 415, 'unsupported_media_type', 'invalid_request_error')
    await expectUntouched(owner)
  })

  it('429 when the minute is used up', async () => {
    const { key } = await makePainter(1_000, { rpm: 1 })
    await paint(key.key)
    expectChatError(await paint(key.key), 429, 'rate_limited', 'rate_limit_error')
  })

  it.each([
    ['neither the scope nor the tool', { llm: false, tools: ['web_search'] }],
    ['the scope for other models', { llm: true, tools: [], allowedModels: [CHAT] }],
  ])('403 to a key with %s', async (_name, settings) => {
    const { owner, key } = await makePainter(1_000, settings)
    expectChatError(await paint(key.key, { model: FIXED }), 403, 'forbidden', 'permission_error')
    expect(await sandbox.calls()).toBe(0)
    await expectUntouched(owner)
  })

  it('402 where the hold of all images does not fit', async () => {
    const needed = credits(0.04 * 4)
    const { owner, key } = await makePainter(needed - 1)
    const answer = await paint(key.key, { n: 4 })
    expectChatError(answer, 402, 'insufficient_credits', 'insufficient_quota')
    expect(answer.body.error).toMatchObject({ limitSource: 'balance' })
    expect(await sandbox.calls()).toBe(0)
    await expectUntouched(owner, needed - 1)
    const just = await makePainter(needed)
    expect(await paint(just.key.key, { n: 4 })).toMatchObject({ status: 200 })
  })
})

describe('402 during the call', () => {
  it('takes what there is, and keeps the images back', async () => {
    const { owner, key } = await makePainter(200)
    const answer = await paint(key.key, { prompt: 'sandbox:expensive' })
    expect(answer).toMatchObject({
      status: 402,
      body: { error: { code: 'insufficient_credits', type: 'insufficient_quota' }, service: { credits_charged: 200 } },
    })
    expect(answer.body).not.toHaveProperty('data')
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 0, charged: 200, held: 0 })
  })
})

it.each([CHAT, FIXED])('400 where the provider of %s refuses the request, with its message, void', async (model) => {
  const { owner, key } = await makePainter(1_000)
  const answer = await paint(key.key, { model, prompt: 'sandbox:policy', n: 2 })
  expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
  expect((answer.body.error as { message: string }).message).toMatch(/refused the request: Your request was rejected/)
  expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, charged: 0, held: 0 })
})

describe('502, with the real cost', () => {
  it.each([
    ['has a fault', FIXED, 'sandbox:500', 0],
    ['says no', CHAT, 'sandbox:refuse', credits(2 * 0.0000243)],
  ])('where each of two %s', async (_name, model, prompt, charged) => {
    const { owner, key } = await makePainter(1_000)
    const answer = await paint(key.key, { model, prompt, n: 2 })
    expect(answer).toMatchObject({
      status: 502,
      body: { error: { code: 'upstream_error', type: 'upstream_error' }, service: { credits_charged: charged } },
    })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged, held: 0, receipts: 1 })
  })
})
