import { expect, test } from 'vitest'
import { convertModelLists } from './import'
import type { Assumptions } from './import-plain'
import { parseModelEntries } from './registry'

const plain = (id: string, more: object = {}) => ({
  id,
  object: 'model',
  created: 1_700_000_000,
  owned_by: 'acme',
  ...more,
})

const convert = (items: unknown[], assumed: Partial<Assumptions> = {}) =>
  convertModelLists(items, [], {
    baseUrl: 'https://api.acme.example/v1',
    apiKeyEnv: 'ACME_API_KEY',
    markup: 1,
    assumed: { provider: 'acme', ...assumed },
  })

test('a plain list has ids only: sizes and prices of well-known models are filled in, with a note of their date', () => {
  const { models, notes } = convert([plain('gpt-4o-mini'), plain('gpt-4o-2024-08-06'), plain('text-embedding-3-small')])
  expect(parseModelEntries(JSON.parse(JSON.stringify(models)))).toHaveLength(3)
  expect(models).toMatchObject([
    {
      id: 'acme/gpt-4o-mini',
      contextSize: 128_000,
      maxOutput: 16_384,
      usdPer1mInput: 0.15,
      usdPer1mOutput: 0.6,
      usdPer1mCachedInput: 0.075,
      vision: true,
      upstreams: [{ api: 'chat', model: 'gpt-4o-mini' }],
    },
    { id: 'acme/gpt-4o-2024-08-06', usdPer1mInput: 2.5, upstreams: [{ model: 'gpt-4o-2024-08-06' }] },
    { id: 'acme/text-embedding-3-small', kind: 'embedding', maxOutput: 0, upstreams: [{ api: 'embeddings' }] },
  ])
  expect(notes.map(({ note }) => note)).toEqual(models.map(() => expect.stringMatching(/published in \d{4}-\d{2}/)))
})

test('what a list says goes before what is known', () => {
  const { models } = convert([
    plain('gpt-4o', { context_length: 64_000, pricing: { prompt: '0.000001', completion: '0.000002' } }),
  ])
  expect(models).toMatchObject([{ contextSize: 64_000, usdPer1mInput: 1, usdPer1mOutput: 2 }])
})

test('vLLM names a context; the operator assumes the price, or both', () => {
  const listed = [plain('meta-llama/Llama-3.1-8B', { max_model_len: 32_768 }), plain('llama3.2:3b')]
  expect(convert(listed).skipped.map(({ why }) => why)).toEqual([
    'its price is not known: say --assume-price',
    'its context size is not known: say --assume-context',
  ])
  const { models } = convert(listed, { contextSize: 8_192, prices: { input: 0, output: 0.5 } })
  expect(models).toMatchObject([
    { id: 'meta-llama/Llama-3.1-8B', contextSize: 32_768, maxOutput: 32_768, usdPer1mOutput: 0.5 },
    { id: 'acme/llama3.2:3b', contextSize: 8_192, maxOutput: 8_192, upstreams: [{ model: 'llama3.2:3b' }] },
  ])
  expect(parseModelEntries(JSON.parse(JSON.stringify(models)))).toHaveLength(2)
})

test('a name with a prefix of its API stays as the upstream knows it', () => {
  expect(convert([plain('models/gemini-2.5-flash')]).models).toMatchObject([
    { id: 'acme/gemini-2.5-flash', contextSize: 1_048_576, upstreams: [{ model: 'models/gemini-2.5-flash' }] },
  ])
})

test.each(['whisper-1', 'tts-1-hd', 'dall-e-3', 'gpt-image-1', 'omni-moderation-latest', 'gpt-4o-realtime-preview'])(
  '%s is no chat model, and left out',
  (id) => {
    const { models, skipped } = convert([plain(id)], { contextSize: 8_192, prices: { input: 1, output: 1 } })
    expect([models, skipped[0]?.why]).toEqual([[], 'its output is unknown, not text, images or embeddings'])
  },
)

test('an item without an id, or that is not an object, is left out', () => {
  expect(convert([null, 'gpt-4o', { object: 'model' }], { contextSize: 1 }).models).toEqual([])
})
