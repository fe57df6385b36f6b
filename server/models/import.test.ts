import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { convertModelLists, importModelLists } from './import'
import { parseModelEntries } from './registry'

const options = {
  baseUrl: 'https://router.example/api/v1',
  apiKeyEnv: 'ROUTER_API_KEY',
  markup: 1,
  assumed: { provider: 'router' },
}
const item = (more: object = {}) => ({
  id: 'acme/one',
  name: 'Acme: One',
  context_length: 8_192,
  architecture: { input_modalities: ['text'], output_modalities: ['text'] },
  pricing: { prompt: '0.00000025', completion: '0.0000015', request: '0' },
  top_provider: { context_length: 8_192, max_completion_tokens: 4_096 },
  ...more,
})
const one = (more: object = {}) => convertModelLists([item(more)], [], options).models[0]
const why = (more: object = {}) => convertModelLists([item(more)], [], options).skipped[0]?.why

test('a chat model becomes an entry with prices per million, exactly', () => {
  expect(one()).toEqual({
    id: 'acme/one',
    name: 'Acme: One',
    provider: 'Acme',
    kind: 'chat',
    contextSize: 8_192,
    maxOutput: 4_096,
    usdPer1mInput: 0.25,
    usdPer1mOutput: 1.5,
    vision: false,
    upstreams: [{ api: 'chat', baseUrl: options.baseUrl, apiKeyEnv: 'ROUTER_API_KEY', model: 'acme/one' }],
  })
  expect(convertModelLists([item()], [], { ...options, markup: 1.1 }).models[0]).toMatchObject({
    usdPer1mInput: 0.275,
    usdPer1mOutput: 1.65,
  })
})

test('whatever is imported is a valid file', () => {
  const { models } = convertModelLists(
    [item(), item({ id: 'acme/two:free', pricing: { prompt: '0', completion: '0' } })],
    [],
    options,
  )
  expect(parseModelEntries(JSON.parse(JSON.stringify(models)))).toHaveLength(2)
})

test('missing sizes come from other fields, or the model is skipped', () => {
  expect(one({ context_length: null })).toMatchObject({ contextSize: 8_192 })
  expect(one({ top_provider: { max_completion_tokens: null } })).toMatchObject({ maxOutput: 8_192 })
  expect(one({ top_provider: { max_completion_tokens: 1e6 } })).toMatchObject({ maxOutput: 8_192 })
  expect(why({ context_length: null, top_provider: null })).toBe('its context size is not known: say --assume-context')
})

test('an unknown price never becomes one', () => {
  for (const prompt of ['-1', null, undefined, '', 'soon', -1])
    expect(why({ pricing: { prompt, completion: '0.1' } }), String(prompt)).toBe(
      'its price is not known: say --assume-price',
    )
  expect(why({ pricing: null })).toBe('its price is not known: say --assume-price')
})

test('the highest price that can apply is taken, and said', () => {
  const overrides = [{ min_prompt_tokens: 4_000, prompt: '0.000006', completion: '0.00002' }]
  const pricing = { ...item().pricing, discount: 0, overrides }
  expect(convertModelLists([item({ pricing })], [], options)).toMatchObject({
    models: [{ usdPer1mInput: 6, usdPer1mOutput: 20 }],
    notes: [{ id: 'acme/one' }],
  })
  const beyond = { ...pricing, overrides: [{ ...overrides[0], min_prompt_tokens: 200_000 }] }
  expect(one({ pricing: beyond })).toMatchObject({ usdPer1mInput: 0.25, usdPer1mOutput: 1.5 })
  expect(one({ pricing: { ...item().pricing, internal_reasoning: '0.000003' } })).toMatchObject({ usdPer1mOutput: 3 })
})

test('prices of the cache are read, and rise in proportion where longer prompts name none', () => {
  const pricing = {
    ...item().pricing,
    prompt: '0.000003',
    input_cache_read: '0.0000003',
    input_cache_write: '0.00000375',
  }
  expect(one({ pricing })).toMatchObject({ usdPer1mCachedInput: 0.3, usdPer1mCacheWrite: 3.75 })
  const overrides = [{ min_prompt_tokens: 4_000, prompt: '0.000006', completion: '0.00002' }]
  expect(one({ pricing: { ...pricing, overrides } })).toMatchObject({
    usdPer1mInput: 6,
    usdPer1mCachedInput: 0.6,
    usdPer1mCacheWrite: 7.5,
  })
  const named = [{ ...overrides[0], input_cache_read: '0.000001' }]
  expect(one({ pricing: { ...pricing, overrides: named } })).toMatchObject({ usdPer1mCachedInput: 1 })
  expect(one()).not.toHaveProperty('usdPer1mCachedInput')
})

test('what the registry cannot express is skipped with a reason', () => {
  expect(why({ pricing: { ...item().pricing, request: '0.005' } })).toMatch(/per request/)
  expect(why({ architecture: { output_modalities: ['audio'] } })).toMatch(/its output is audio/)
  expect(why({ architecture: { output_modalities: ['text', 'audio'] } })).toMatch(/its output is text and audio/)
  expect(why({ id: 'acme/one two' })).toMatch(/^id must be/)
  expect(convertModelLists([null, 5, {}, { id: 'a/b' }], [], options).skipped.map((s) => s.id)).toEqual([
    '(no id)',
    'a/b',
  ])
  expect(convertModelLists([item(), item()], [], options).models).toHaveLength(1)
})

test('models that make embeddings are of the kind embedding, and only their input costs', () => {
  const architecture = { input_modalities: ['text'], output_modalities: ['embeddings'] }
  const entry = one({ architecture, created: 1_767_312_000.5 })
  expect(entry).toMatchObject({
    kind: 'embedding',
    created: 1_767_312_000,
    contextSize: 8_192,
    maxOutput: 0,
    usdPer1mInput: 0.25,
    usdPer1mOutput: 0,
    upstreams: [{ api: 'embeddings' }],
  })
  expect(parseModelEntries([entry])).toHaveLength(1)
})

test('a date that cannot be one is left out', () => {
  for (const created of [0, -1, null, 'soon']) expect(one({ created }), String(created)).not.toHaveProperty('created')
})

test('models that make images are of the kind image, called as they answer', () => {
  const architecture = { input_modalities: ['image', 'text'], output_modalities: ['image', 'text'] }
  const pricing = { ...item().pricing, image_output: '0.00003' }
  expect(one({ architecture, pricing })).toMatchObject({
    kind: 'image',
    vision: true,
    image: { usdPerImage: 0.126 },
    upstreams: [{ api: 'chat' }],
  })
  expect(one({ architecture: { output_modalities: ['image'] }, pricing })).toMatchObject({
    upstreams: [{ api: 'images' }],
  })
  expect(why({ architecture, pricing: { prompt: '0', completion: '0' } })).toBe('the price of an image is not known')
})

test('video engines have a price by the second for every resolution', () => {
  const video = {
    id: 'acme/video',
    name: 'Video',
    supported_resolutions: ['720p', '1080p'],
    supported_aspect_ratios: ['16:9', 'any'],
    supported_durations: [4, 8],
    supported_frame_images: ['first_frame'],
    pricing_skus: { 'per-video-second': '0.50', 'per-video-second-1080p': '0.75' },
  }
  const prices = (more: object) => convertModelLists([], [{ ...video, ...more }], options)
  expect(prices({}).models[0]).toMatchObject({
    kind: 'video',
    contextSize: 0,
    vision: true,
    video: {
      seconds: [4, 8],
      resolutions: ['720p', '1080p'],
      ratios: ['16:9'],
      usdPerSecond: { '720p': 0.5, '1080p': 0.75 },
    },
  })
  const sounds = {
    duration_seconds_without_audio_720p: '0.03',
    duration_seconds_with_audio_720p: '0.05',
    duration_seconds_1080p: '0.1',
  }
  expect(prices({ pricing_skus: sounds }).models[0]).toMatchObject({
    video: { usdPerSecond: { '720p': 0.05, '1080p': 0.1 } },
  })
  expect(
    prices({ pricing_skus: { cents_per_second_output: '12' }, supported_resolutions: null }).models[0],
  ).toMatchObject({
    video: { usdPerSecond: { '720p': 0.12 } },
  })
  for (const pricing_skus of [
    null,
    {},
    { video_tokens: '0.00001' },
    { cents_per_megapixel_second: '2' },
    { duration_seconds_1080p: '1' },
  ])
    expect(prices({ pricing_skus }).skipped[0]?.why).toBe('its price per second is not known')
})

test('lists are read over HTTP: the one of models is required, those of images and videos are optional', async () => {
  const asked: string[] = []
  const server = createServer((req, res) => {
    asked.push(`${req.url} ${req.headers.authorization}`)
    if (req.url === '/v1/models') res.end(JSON.stringify({ data: [item(), item({ id: 'acme/two', pricing: null })] }))
    else if (req.url?.startsWith('/html')) res.end('<html>')
    else res.writeHead(404).end('no')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const at = (path: string) => `http://127.0.0.1:${port}${path}`
  process.env.TEST_ROUTER_KEY = 'sk-router'
  const from = (path: string) =>
    importModelLists({ baseUrl: at(path), apiKeyEnv: 'TEST_ROUTER_KEY', markup: 1, assumed: { provider: 'router' } })
  expect(await from('/v1')).toMatchObject({ models: [{ id: 'acme/one' }], skipped: [{ id: 'acme/two' }] })
  expect(asked).toContain('/v1/models Bearer sk-router')
  await expect(from('/v2')).rejects.toThrow(`${at('/v2/models')} returned 404.`)
  await expect(from('/html')).rejects.toThrow('is not a list of models.')
  server.close()
  server.closeAllConnections()
  await expect(from('/v1')).rejects.toThrow('cannot be reached.')
})
