import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { cosineSimilarity, embed, embedMany } from 'ai'
import OpenAI, { BadRequestError, PermissionDeniedError, RateLimitError } from 'openai'
import { describe, expect, it } from 'vitest'
import { makeSecret } from '../../server/keys/secret'
import type { NewKey } from '../../server/keys/shape'
import { uuidv7 } from '../../server/kit/id'
import { allModels } from '../../server/models/registry'
import { send, type TestResponse, withSandbox } from '../support/api'
import { expectChatError, receiptOf } from '../support/chat'
import { type UpstreamHandler, withFakeUpstream } from '../support/fake-upstream'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import { fetchFromListener } from '../support/listener'
import { makeCaller } from '../support/owners'

const sandbox = withSandbox()
const fake = withFakeUpstream()
const PATH = '/api/v1/embeddings'
/** 334 credits per million tokens in sandbox mode. */
const MODEL = 'lantern/wick-embed'
const FAKE = 'upstream/embed'
/** Has a second upstream, which is the sandbox. */
const RELAYED = 'upstream/embed-relay'
const creditsFor = (tokens: number) => Math.ceil((tokens * 334) / 1e6)

const makeReader = (credits = 1_000, settings: Partial<NewKey> = {}) => makeCaller(credits, { llm: true, ...settings })
const ask = (key: string, body: object = {}, headers: Record<string, string> = {}) =>
  send(PATH, { key, body: { model: MODEL, input: 'a toll road', ...body }, headers })

type Item = { object: string; index: number; embedding: number[] | string }
const itemsOf = ({ body }: TestResponse) => body.data as Item[]
const usageOf = ({ body }: TestResponse) => body.usage as { prompt_tokens: number; total_tokens: number }
const chargeOf = ({ body }: TestResponse) => (body.service as { credits_charged: number }).credits_charged
const floatsIn = (text: unknown) => {
  const bytes = Buffer.from(String(text), 'base64')
  return [...new Float32Array(new Uint8Array(bytes).buffer)]
}

/** The upstream answers with this, whatever it is asked. `seen` has what it was asked. */
const seen: Record<string, unknown>[] = []
const answerWith =
  (
    reply: (asked: Record<string, unknown>) => { status?: number; body: unknown; headers?: Record<string, string> },
  ): UpstreamHandler =>
  (req, res) => {
    let text = ''
    req.on('data', (piece) => {
      text += piece
    })
    req.on('end', () => {
      const asked = JSON.parse(text)
      seen.push(asked)
      const { status = 200, body, headers } = reply(asked)
      res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    })
  }
const play = (reply: Parameters<typeof answerWith>[0]) => {
  seen.length = 0
  fake.play(answerWith(reply))
}
const vectors = (...embeddings: unknown[]) =>
  embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding }))

describe('200', () => {
  it.each([
    ['a text', 'a toll road', 1],
    ['texts', ['a toll road', 'a bridge', ''.padEnd(2_000, 'word ')], 3],
    ['tokens', [1, 2, 3], 1],
    ['lists of tokens', [[1, 2, 3], [4]], 2],
    ['a text and tokens', ['a toll road', [4]], 2],
  ])('has a unit vector for each of %s, at the price of its tokens', async (_name, input, count) => {
    const { owner, key } = await makeReader()
    const answer = await ask(key.key, { input })
    expect(answer).toMatchObject({ status: 200, body: { object: 'list', model: MODEL } })
    expect(itemsOf(answer).map(({ index }) => index)).toEqual(Array.from({ length: count }, (_, i) => i))
    for (const { embedding } of itemsOf(answer)) {
      expect(embedding).toHaveLength(256)
      expect(Math.hypot(...(embedding as number[]))).toBeCloseTo(1, 5)
    }
    const { prompt_tokens: tokens, total_tokens: total } = usageOf(answer)
    expect(tokens).toBeGreaterThan(0)
    expect(total).toBe(tokens)
    expect(chargeOf(answer)).toBe(creditsFor(tokens))
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: creditsFor(tokens), held: 0, receipts: 1, holds: 0 })
    expect(await receiptOf(key.key, answer)).toMatchObject({
      what: MODEL,
      channel: 'embeddings',
      product: 'chat',
      status: 'ok',
      detail: { inputTokens: tokens, outputTokens: 0, creditsPer1mInput: 334, estimated: false },
    })
  })

  it('holds for every token, and more for other scripts, and releases the rest', async () => {
    const { key } = await makeReader()
    const held = async (input: string) => {
      const answer = await ask(key.key, { input: Array.from({ length: 40 }, () => input) })
      const { credits } = (await receiptOf(key.key, answer)) as { credits: { held: number; charged: number } }
      expect(credits.charged).toBe(creditsFor(usageOf(answer).prompt_tokens))
      return credits
    }
    const latin = await held('the quick brown fox jumps over the lazy dog '.repeat(20))
    expect(latin.held).toBeGreaterThanOrEqual(latin.charged)
    expect(latin.held).toBeLessThanOrEqual(latin.charged + 1)
    const devanagari = await held('तेज़ भूरी लोमड़ी आलसी कुत्ते के ऊपर कूदती है '.repeat(10))
    expect(devanagari.held).toBeGreaterThan(3 * devanagari.charged)
  })

  it('is the same in base64, and in as many dimensions as asked for', async () => {
    const { key } = await makeReader()
    const numbers = itemsOf(await ask(key.key))[0]?.embedding as number[]
    const encoded = itemsOf(await ask(key.key, { encoding_format: 'base64' }))[0]?.embedding
    expect(floatsIn(encoded)).toEqual(numbers)
    expect(itemsOf(await ask(key.key, { encoding_format: 'float' }))[0]?.embedding).toEqual(numbers)
    expect(itemsOf(await ask(key.key, { encoding_format: null, dimensions: 16 }))[0]?.embedding).toHaveLength(16)
  })

  it('puts texts that share words near each other', async () => {
    const { key } = await makeReader()
    const question = 'How much does the toll road cost?'
    const texts = ['The toll road costs four euros', 'Whales sing below the ice', 'Bread needs yeast, water and salt']
    const [asked, ...found] = itemsOf(await ask(key.key, { input: [question, ...texts] })).map(
      ({ embedding }) => embedding as number[],
    )
    const near = found.map((vector) => cosineSimilarity(asked ?? [], vector))
    expect(near[0]).toBeGreaterThan(0.5)
    for (const other of near.slice(1)) expect(other).toBeLessThan(0.3)
  })

  it('has all of 2,048 texts, in pieces', async () => {
    const { owner, key } = await makeReader()
    const input = Array.from({ length: 2_048 }, (_, i) => `text ${i}`)
    const answer = await ask(key.key, { input })
    expect(itemsOf(answer)).toHaveLength(2_048)
    expect(itemsOf(answer).every(({ embedding, index }, i) => embedding.length === 256 && index === i)).toBe(true)
    expect(chargeOf(answer)).toBe(creditsFor(usageOf(answer).prompt_tokens))
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: chargeOf(answer), held: 0 })
  })

  it('passes unknown fields both ways, and drops what we decide', async () => {
    const { key } = await makeReader()
    play(() => ({
      body: {
        id: 'e1',
        object: 'list',
        data: [{ ...vectors([1, 2])[0], more: 'x' }],
        model: 'upstream-name',
        usage: { total_tokens: 9 },
      },
    }))
    const answer = await ask(key.key, {
      model: FAKE,
      user: 'somebody',
      input_type: 'query',
      store: true,
      service_tier: 'flex',
    })
    expect(seen).toEqual([
      {
        model: 'upstream-name',
        input: 'a toll road',
        user: 'somebody',
        input_type: 'query',
        encoding_format: 'base64',
      },
    ])
    expect(answer.body).toMatchObject({ id: 'e1', model: FAKE, data: [{ more: 'x', embedding: [1, 2] }] })
    expect(usageOf(answer)).toEqual({ prompt_tokens: 9, total_tokens: 9 })
  })

  it('is converted where the upstream only has numbers, and where it refuses base64', async () => {
    const { key, owner } = await makeReader()
    const usage = { prompt_tokens: 3, total_tokens: 3 }
    play(({ encoding_format: format }) =>
      format === undefined
        ? { body: { data: vectors([0.5, -2]), usage } }
        : { status: 422, body: { error: { message: "Unknown parameter: 'encoding_format'." } } },
    )
    const encoded = await ask(key.key, { model: FAKE, encoding_format: 'base64' })
    expect(floatsIn(itemsOf(encoded)[0]?.embedding)).toEqual([0.5, -2])
    expect(itemsOf(await ask(key.key, { model: FAKE }))[0]?.embedding).toEqual([0.5, -2])
    expect(seen.map(({ encoding_format: format }) => format)).toEqual(['base64', undefined, undefined])
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 2, receipts: 2 })
  })

  it('is estimated where the upstream reports no usage that can be believed', async () => {
    const { key } = await makeReader()
    for (const usage of [undefined, { prompt_tokens: 0 }, { prompt_tokens: -1 }, { prompt_tokens: '5' }]) {
      play(() => ({ body: { data: vectors([1]), usage } }))
      const answer = await ask(key.key, { model: FAKE, input: 'one two three' })
      expect(usageOf(answer)).toEqual({ prompt_tokens: 3, total_tokens: 3 })
      expect(await receiptOf(key.key, answer)).toMatchObject({ detail: { estimated: true, inputTokens: 3 } })
    }
  })

  it('never costs more than its hold', async () => {
    const { key, owner } = await makeReader()
    play(() => ({ body: { data: vectors([1]), usage: { prompt_tokens: 900_000_000 } } }))
    const answer = await ask(key.key, { model: FAKE })
    expect(chargeOf(answer)).toBe(1)
    expect(await receiptOf(key.key, answer)).toMatchObject({ credits: { held: 1, charged: 1 } })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, held: 0 })
  })

  it('comes from the next upstream where one fails', async () => {
    const { key, owner } = await makeReader()
    for (const status of [401, 402, 403, 404, 429, 500, 503]) {
      play(() => ({ status, body: { error: { message: 'no' } } }))
      expect(itemsOf(await ask(key.key, { model: RELAYED }))[0]?.embedding, String(status)).toHaveLength(256)
    }
    play(() => ({ body: { data: [] } }))
    expect(await ask(key.key, { model: RELAYED })).toMatchObject({ status: 200 })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 8, receipts: 8, held: 0 })
  })

  it('is replayed for a known Idempotency-Key, in the same format and with no second charge', async () => {
    const { owner, key } = await makeReader()
    const token = { 'idempotency-key': uuidv7() }
    const first = await ask(key.key, { input: ['a', 'b'] }, token)
    const again = await ask(key.key, { input: ['a', 'b'] }, token)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again).toMatchObject({ status: 200, body: first.body })
    expectChatError(await ask(key.key, {}, token), 422, 'idempotency_mismatch', 'invalid_request_error')
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, receipts: 1, held: 0 })
  })
})

describe('400', () => {
  it.each([
    ['no input', { input: undefined }, 'input'],
    ['an empty list', { input: [] }, 'input'],
    ['a number', { input: 5 }, 'input'],
    ['half a token', { input: [1, 2.5] }, 'input'],
    ['a negative token', { input: [-1] }, 'input'],
    ['tokens and a text', { input: [1, 'x'] }, 'input'],
    ['an empty list of tokens', { input: ['x', []] }, 'input.1'],
    ['something else', { input: ['x', { image: 'https://10.0.0.1/x.png' }] }, 'input.1'],
    ['2,049 texts', { input: Array.from({ length: 2_049 }, () => 'x') }, 'input'],
    ['a million tokens and one', { input: Array.from({ length: 1_000_001 }, () => 1) }, 'input'],
    [
      'as many in two lists',
      { input: [Array.from({ length: 600_000 }, () => 1), Array.from({ length: 600_000 }, () => 1)] },
      'input',
    ],
    ['another format', { encoding_format: 'int8' }, 'encoding_format'],
    ['no dimensions', { dimensions: 0 }, 'dimensions'],
    ['other models', { models: ['x/y'] }, 'models'],
    ['no model', { model: undefined }, 'model'],
  ])('is answered to %s', async (_name, body, param) => {
    const { owner, key } = await makeReader()
    const answer = await ask(key.key, body)
    expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
    expect(answer.body.error).toMatchObject({ param })
    expect(await sandbox.calls()).toBe(0)
    await expectUntouched(owner)
  })

  it('is answered to texts of more tokens than one request may have', async () => {
    const { owner, key } = await makeReader()
    const answer = await ask(key.key, { input: Array.from({ length: 1_000 }, () => 'word '.repeat(2_000)) })
    expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
    expect((answer.body.error as { message: string }).message).toContain('1,000,000 tokens')
    await expectUntouched(owner)
  })

  it.each([
    ['northwind/gale-4', /northwind\/gale-4 is a model for chat/],
    ['palette/umber-1', /palette\/umber-1 is a model for image/],
    ['nobody/nothing', /There is no model "nobody\/nothing"/],
  ])('names the models that make embeddings, to %s', async (model, message) => {
    const { owner, key } = await makeReader()
    const answer = await ask(key.key, { model })
    expectChatError(answer, 400, 'unknown_model', 'invalid_request_error')
    const error = answer.body.error as { message: string; param: string }
    expect(error.param).toBe('model')
    expect(error.message).toMatch(message)
    expect(error.message).toContain(`These make embeddings: ${MODEL}`)
    await expectUntouched(owner)
  })

  it('is answered by chat and agents to an embedding model', async () => {
    const { key } = await makeReader(1_000, { agent: true })
    const chat = await send('/api/v1/chat/completions', {
      key: key.key,
      body: { model: MODEL, messages: [{ role: 'user', content: 'x' }] },
    })
    expectChatError(chat, 400, 'unknown_model', 'invalid_request_error')
    const run = await send('/api/v1/agent', { key: key.key, body: { goal: 'x', idempotencyKey: 'x', model: MODEL } })
    expect(run).toMatchObject({ status: 400, body: { code: 'unknown_model' } })
  })

  it('is the upstream’s own, without its ids and without a charge', async () => {
    const { owner, key } = await makeReader()
    const large = await ask(key.key, { dimensions: 257 })
    expectChatError(large, 400, 'invalid_request', 'invalid_request_error')
    expect((large.body.error as { message: string }).message).toContain('at most 256')
    play(() => ({ status: 413, body: { error: { message: 'upstream-name is too small for req_abc123def456' } } }))
    const refused = await ask(key.key, { model: FAKE })
    expectChatError(refused, 400, 'invalid_request', 'invalid_request_error')
    expect((refused.body.error as { message: string }).message).toBe(`${FAKE} is too small for …`)
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, charged: 0, held: 0 })
  })
})

describe('other refusals, without a charge', () => {
  it('401, 405, 413 and 415', async () => {
    const { owner, key } = await makeReader()
    expectChatError(await ask(makeSecret()), 401, 'unauthorized', 'authentication_error')
    const wrong = await send(PATH, { key: key.key })
    expectChatError(wrong, 405, 'method_not_allowed', 'invalid_request_error')
    expect(wrong.headers.get('allow')).toBe('POST')
    const large = await ask(key.key, { input: 'x'.repeat(20 * 1024 * 1024) })
    expectChatError(large, 413, 'payload_too_large', 'invalid_request_error')
    const type = await ask(key.key, {}, { 'content-type': 'text/plain' })
    expectChatError(type, 415, 'unsupported_media_type', 'invalid_request_error')
    await expectUntouched(owner)
  })

  it('429 when the minute is used up', async () => {
    const { key } = await makeReader(1_000, { rpm: 1 })
    await ask(key.key)
    expectChatError(await ask(key.key), 429, 'rate_limited', 'rate_limit_error')
  })

  it.each([
    ['without the scope', { llm: false }],
    ['for other models', { allowedModels: ['northwind/gale-4'] }],
  ])('403 to a key %s', async (_name, settings) => {
    const { owner, key } = await makeReader(1_000, settings)
    expectChatError(await ask(key.key), 403, 'forbidden', 'permission_error')
    expect(await sandbox.calls()).toBe(0)
    await expectUntouched(owner)
  })

  it('402 where balance or budget do not pay for the hold', async () => {
    const input = Array.from({ length: 200 }, () => 'toll road bridge ferry tunnel '.repeat(40))
    const free = (await ask((await makeReader(100_000)).key.key, { input })).body.service as { credits_charged: number }
    const { owner, key } = await makeReader(free.credits_charged - 1)
    const answer = await ask(key.key, { input })
    expectChatError(answer, 402, 'insufficient_credits', 'insufficient_quota')
    expect(answer.body.error).toMatchObject({ limitSource: 'balance' })
    await expectUntouched(owner, free.credits_charged - 1)
    const budget = await makeReader(1_000, { budget: 1 })
    expect(await ask(budget.key.key, { input })).toMatchObject({
      status: 402,
      body: { error: { limitSource: 'key_budget' } },
    })
    expect(await ask(budget.key.key)).toMatchObject({ status: 200 })
    expect(await ask(budget.key.key)).toMatchObject({ status: 402 })
  })
})

describe('many calls at once', () => {
  it('never spend more than the key’s budget, and each is charged or refused', async () => {
    const { owner, key } = await makeReader(1_000, { budget: 5 })
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => ask(key.key, { input: `text ${i}` })))
    const made = answers.filter(({ status }) => status === 200)
    expect(made.map(chargeOf)).toEqual([1, 1, 1, 1, 1])
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectChatError(answer, 402, 'insufficient_credits', 'insufficient_quota')
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 5, held: 0, holds: 0, receipts: 5 })
  })
})

describe('502, void', () => {
  it.each([
    ['its upstream has a fault', { status: 500, body: { error: { message: 'down' } } }],
    ['its upstream answers in another form', { body: { made: 'up' } }],
    ['a vector is missing', { body: { data: [] } }],
    ['a vector is none', { body: { data: vectors(['x']) } }],
    ['a vector is half a number', { body: { data: vectors('AAAAAAA=') } }],
    ['a 200 has an error', { body: { error: { message: 'no capacity' } } }],
  ])('where %s', async (_name, reply) => {
    const { owner, key } = await makeReader()
    play(() => reply)
    expectChatError(await ask(key.key, { model: FAKE }), 502, 'upstream_error', 'upstream_error')
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, charged: 0, held: 0, receipts: 1 })
  })

  it('says when to try again where the upstream does', async () => {
    const { key } = await makeReader()
    play(() => ({ status: 429, body: {}, headers: { 'retry-after': '7' } }))
    const answer = await ask(key.key, { model: FAKE })
    expectChatError(answer, 502, 'upstream_error', 'upstream_error')
    expect(answer.headers.get('retry-after')).toBe('7')
  })
})

describe('a client that leaves', () => {
  it('ends the upstream’s work, and pays for its prompt', async () => {
    const { owner, key } = await makeReader()
    let closed = false
    fake.play((req, res) => {
      req.resume()
      res.on('close', () => {
        closed = true
      })
    })
    const leaving = new AbortController()
    const call = send(PATH, { key: key.key, body: { model: FAKE, input: 'a toll road' }, signal: leaving.signal })
    await expect.poll(fake.calls).toBe(1)
    await expect.poll(async () => (await readOwnerMoney(owner)).held).toBe(1)
    leaving.abort()
    await expect(call).rejects.toThrow()
    await expect.poll(() => closed).toBe(true)
    await expect.poll(async () => (await readOwnerMoney(owner)).receipts).toBe(1)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, held: 0, holds: 0 })
  })
})

describe('the openai SDK', () => {
  const client = (key: string) =>
    new OpenAI({ baseURL: 'http://127.0.0.1:3000/api/v1', apiKey: key, fetch: fetchFromListener, maxRetries: 0 })

  it('embeds, by base64 and by numbers, with the charge next to the vectors', async () => {
    const { owner, key } = await makeReader()
    const made = await client(key.key).embeddings.create({ model: MODEL, input: ['a toll road', 'a bridge'] })
    expect(made.data.map(({ embedding }) => embedding.length)).toEqual([256, 256])
    expect(Math.hypot(...(made.data[0]?.embedding ?? []))).toBeCloseTo(1, 5)
    expect(made).toMatchObject({ model: MODEL, usage: { total_tokens: 5 }, service: { credits_charged: 1 } })
    const numbers = await client(key.key).embeddings.create({
      model: MODEL,
      input: 'a toll road',
      encoding_format: 'float',
    })
    expect([...(made.data[0]?.embedding ?? [])]).toEqual(numbers.data[0]?.embedding)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 2, receipts: 2, held: 0 })
  })

  it('throws its own exceptions', async () => {
    const { key } = await makeReader(1_000, { rpm: 2 })
    const create = (using: string, more: object = {}) =>
      client(using).embeddings.create({ model: MODEL, input: 'x', ...more })
    await expect(create(key.key, { model: 'northwind/gale-4' })).rejects.toBeInstanceOf(BadRequestError)
    await create(key.key)
    await expect(create(key.key)).rejects.toBeInstanceOf(RateLimitError)
    const blind = await makeReader(1_000, { llm: false })
    await expect(create(blind.key.key)).rejects.toBeInstanceOf(PermissionDeniedError)
    const poor = await makeReader(0)
    await expect(create(poor.key.key)).rejects.toMatchObject({ status: 402, code: 'insufficient_credits' })
  })
})

describe('the ai SDK', () => {
  const model = (key: string) =>
    createOpenAICompatible({
      name: 'gate',
      baseURL: 'http://127.0.0.1:3000/api/v1',
      apiKey: key,
      fetch: fetchFromListener,
    }).textEmbeddingModel(MODEL)

  it('embeds one value and many, with their usage', async () => {
    const { owner, key } = await makeReader()
    const one = await embed({ model: model(key.key), value: 'a toll road' })
    expect(one.embedding).toHaveLength(256)
    const values = ['the toll road', 'a ferry', 'the ferry']
    const { embeddings, usage } = await embedMany({ model: model(key.key), values })
    expect(embeddings.map((vector) => vector.length)).toEqual([256, 256, 256])
    expect(usage.tokens).toBeGreaterThan(3)
    expect(cosineSimilarity(embeddings[1] ?? [], embeddings[2] ?? [])).toBeGreaterThan(0.9)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 2, receipts: 2, held: 0 })
  })
})

it('the models of this file are those of the sandbox, and two more', () => {
  expect(
    allModels()
      .filter(({ kind }) => kind === 'embedding')
      .map(({ id }) => id),
  ).toEqual([MODEL, FAKE, RELAYED])
})
