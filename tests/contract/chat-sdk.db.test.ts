import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai'
import OpenAI, {
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHttpServer } from '../../server/cli/web/http-server'
import { withSandbox } from '../support/api'
import { CHAT_MODEL, makeChatter, sandboxUpstream } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import type { TestOwner } from '../support/owners'

withSandbox()
let server: Server
let baseURL: string
let requests = 0
let owner: TestOwner
let apiKey: string

beforeAll(async () => {
  server = createHttpServer((_req, res) => void res.writeHead(404).end(), { count: 0 })
  server.prependListener('request', () => requests++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(async () => {
  const made = await makeChatter()
  owner = made.owner
  apiKey = made.key.key
  requests = 0
})

const script = (value: object, text = 'Hello') => `${text} [[sandbox ${JSON.stringify(value)}]]`
const user = (value: object, text?: string) => [{ role: 'user' as const, content: script(value, text) }]
const LONG = 'All work and no play makes for a dull afternoon. '.repeat(20).trim()
const PNG = 'data:image/png;base64,iVBORw0KGgo='
const weather = {
  name: 'weather',
  description: 'The weather of a city',
  parameters: { type: 'object' as const, properties: { city: { type: 'string' as const } }, required: ['city'] },
}
const letGo = (before: number) => expect.poll(sandboxUpstream.aborted).toBe(before + 1)
const settled = () => expect.poll(async () => (await readOwnerMoney(owner)).holds).toBe(0)

describe('the openai SDK', () => {
  const client = (key = apiKey) => new OpenAI({ baseURL, apiKey: key })
  const ask = (value: object, more: object = {}, key?: string) =>
    client(key).chat.completions.create({ model: CHAT_MODEL, messages: user(value), ...more })

  it('completes, with the charge next to the answer', async () => {
    const answer = await client().chat.completions.create({ model: CHAT_MODEL, messages: user({ text: 'Good day' }) })
    expect(answer.choices[0]?.message.content).toBe('Good day')
    expect(answer).toMatchObject({
      model: CHAT_MODEL,
      usage: { completion_tokens: 2 },
      service: { credits_charged: 1 },
    })
    expect((answer as { _request_id?: string })._request_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, held: 0 })
  })

  it('streams', async () => {
    const stream = await client().chat.completions.create({
      model: CHAT_MODEL,
      messages: user({ text: LONG }),
      stream: true,
    })
    let text = ''
    const services: unknown[] = []
    for await (const chunk of stream) {
      expect(chunk.choices.length).toBeGreaterThan(0)
      text += chunk.choices[0]?.delta.content ?? ''
      if ('service' in chunk) services.push(chunk.service)
    }
    expect(text).toBe(LONG)
    expect(services).toEqual([{ credits_charged: (await readOwnerMoney(owner)).charged }])
  })

  it('streams through its helper, usage and all', async () => {
    const runner = client().chat.completions.stream({
      model: CHAT_MODEL,
      messages: user({ text: LONG, reasoning: 'hm' }),
      n: 2,
      stream_options: { include_usage: true },
    })
    const final = await runner.finalChatCompletion()
    expect(final.choices.map((choice) => choice.message.content?.startsWith(LONG))).toEqual([true, true])
    expect((await runner.totalUsage()).completion_tokens).toBeGreaterThan(390)
  })

  it.each([false, true])('runs tools, there and back (stream: %s)', async (stream) => {
    const messages = user({
      turns: [{ toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] }, { text: 'It is {{last}}.' }],
    })
    const asked: unknown[] = []
    const tools = [
      {
        type: 'function' as const,
        function: {
          ...weather,
          parse: JSON.parse,
          function: async (args: object) => {
            asked.push(args)
            return 'sunny'
          },
        },
      },
    ]
    const runner = stream
      ? client().chat.completions.runTools({ model: CHAT_MODEL, messages, tools, stream: true })
      : client().chat.completions.runTools({ model: CHAT_MODEL, messages, tools })
    expect(await runner.finalContent()).toBe('It is sunny.')
    expect(asked).toEqual([{ city: 'Oslo' }])
    expect(await readOwnerMoney(owner)).toMatchObject({ receipts: 2, held: 0 })
  })

  it('gets an answer in a JSON schema', async () => {
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 3 } },
      required: ['city', 'days'],
      additionalProperties: false,
    }
    const answer = await client().chat.completions.parse({
      model: CHAT_MODEL,
      messages: [{ role: 'user', content: 'Where to?' }],
      response_format: { type: 'json_schema', json_schema: { name: 'trip', schema, strict: true } },
    })
    expect(answer.choices[0]?.message.parsed).toMatchObject({ city: expect.any(String), days: 3 })
  })

  it('shows images', async () => {
    const answer = await client().chat.completions.create({
      model: CHAT_MODEL,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: PNG } },
          ],
        },
      ],
    })
    expect(answer.choices[0]?.message.content).toContain('I see 1 image')
  })

  it.each([
    ['401', AuthenticationError, 'unauthorized', 'authentication_error', () => ask({}, {}, 'tg_wrong')],
    ['400', BadRequestError, 'invalid_request', 'invalid_request_error', () => ask({}, { n: 9 })],
    ['400 of the upstream', BadRequestError, 'invalid_request', 'invalid_request_error', () => ask({ status: 422 })],
  ])('throws its own exception for %s', async (_name, kind, code, type, call) => {
    const error = await call().then(
      () => expect.unreachable(),
      (thrown) => thrown,
    )
    expect(error).toBeInstanceOf(kind)
    expect(error).toMatchObject({
      code,
      type,
      requestID: expect.any(String),
      message: expect.stringMatching(/\d{3} \S/),
    })
    expect(requests).toBe(1)
  })

  it('names what was wrong in param', async () => {
    await expect(ask({}, { max_tokens: 0 })).rejects.toMatchObject({ status: 400, param: 'max_tokens' })
    await expect(ask({}, { model: 'x/y' })).rejects.toMatchObject({
      status: 400,
      param: 'model',
      code: 'unknown_model',
    })
  })

  it('throws PermissionDeniedError for 403', async () => {
    const other = await makeChatter(1_000, { llm: false })
    await expect(ask({}, {}, other.key.key)).rejects.toBeInstanceOf(PermissionDeniedError)
    expect(requests).toBe(1)
  })

  it('throws APIError for 402, without trying again', async () => {
    const poor = await makeChatter(0)
    const error = await ask({}, {}, poor.key.key).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(APIError)
    expect(error).toMatchObject({
      status: 402,
      code: 'insufficient_credits',
      type: 'insufficient_quota',
      error: { limitSource: 'balance' },
    })
    expect(requests).toBe(1)
  })

  it('throws RateLimitError for 429, after the time in Retry-After', async () => {
    const slow = await makeChatter(1_000, { rpm: 1 })
    const once = new OpenAI({ baseURL, apiKey: slow.key.key, maxRetries: 0 })
    const request = { model: CHAT_MODEL, messages: user({ text: 'ok' }) }
    await once.chat.completions.create(request)
    const error = await once.chat.completions.create(request).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ status: 429, code: 'rate_limited', type: 'rate_limit_error' })
    expect(Number(error.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('throws APIError for 502, having tried again, and pays nothing', async () => {
    const error = await ask({ status: 500 }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(APIError)
    expect(error).toMatchObject({ status: 502, code: 'upstream_error', type: 'upstream_error' })
    expect(requests).toBe(3)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, held: 0, receipts: 3 })
  })

  it('throws APIError in the middle of a stream that breaks', async () => {
    const stream = await client().chat.completions.create({
      model: CHAT_MODEL,
      messages: user({ text: LONG, failAfterChunks: 50 }),
      stream: true,
    })
    let pieces = 0
    const error = await (async () => {
      for await (const _ of stream) pieces++
    })().catch((thrown) => thrown)
    expect(pieces).toBeGreaterThan(40)
    expect(error).toBeInstanceOf(APIError)
    expect(error).toMatchObject({ code: 'upstream_error', type: 'upstream_error' })
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, receipts: 1 })
  })

  it('aborts a stream by leaving its loop', async () => {
    const before = await sandboxUpstream.aborted()
    const stream = await client().chat.completions.create({
      model: CHAT_MODEL,
      messages: user({ text: LONG, chunkDelayMs: 20 }),
      stream: true,
    })
    let pieces = 0
    for await (const _ of stream) if (++pieces === 5) break
    await letGo(before)
    await settled()
    expect((await readOwnerMoney(owner)).charged).toBeGreaterThan(0)
  })

  it('aborts a call by its signal', async () => {
    const before = await sandboxUpstream.aborted()
    const leaving = new AbortController()
    const call = client().chat.completions.create(
      { model: CHAT_MODEL, messages: user({ hang: true }) },
      { signal: leaving.signal },
    )
    await expect.poll(sandboxUpstream.calls).toBe(1)
    leaving.abort()
    await expect(call).rejects.toBeInstanceOf(APIUserAbortError)
    await letGo(before)
    await settled()
  })

  it('lists models and retrieves one', async () => {
    const ids: string[] = []
    for await (const model of client().models.list()) ids.push(model.id)
    expect(ids).toContain(CHAT_MODEL)
    const model = await client().models.retrieve(CHAT_MODEL)
    expect(model).toMatchObject({ id: CHAT_MODEL, object: 'model', owned_by: 'northwind' })
    await expect(client().models.retrieve('nobody/nothing')).rejects.toBeInstanceOf(NotFoundError)
  })
})

describe('the ai SDK', () => {
  const model = (key = apiKey, id = CHAT_MODEL) =>
    createOpenAICompatible({ name: 'gate', baseURL, apiKey: key, includeUsage: true, supportsStructuredOutputs: true })(
      id,
    )
  const prompt = (value: object) => ({ messages: user(value) })

  it('generates text, with its usage', async () => {
    const { text, usage, finishReason } = await generateText({ model: model(), ...prompt({ text: 'Good day' }) })
    expect([text, finishReason]).toEqual(['Good day', 'stop'])
    expect(usage.outputTokens).toBe(2)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, held: 0 })
  })

  it('streams text, with reasoning and usage', async () => {
    const result = streamText({ model: model(), ...prompt({ text: LONG, reasoning: 'let me see' }) })
    let text = ''
    for await (const piece of result.textStream) text += piece
    expect(text).toBe(LONG)
    expect(await result.reasoningText).toBe('let me see')
    expect((await result.usage).outputTokens).toBeGreaterThan(190)
  })

  it.each([false, true])('runs tools, there and back (stream: %s)', async (stream) => {
    const settings = {
      model: model(),
      ...prompt({
        turns: [{ toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] }, { text: 'It is {{last}}.' }],
      }),
      stopWhen: stepCountIs(3),
      tools: {
        weather: tool({
          description: weather.description,
          inputSchema: jsonSchema<{ city: string }>(weather.parameters),
          execute: async ({ city }) => `sunny in ${city}`,
        }),
      },
    }
    const text = stream ? await streamText(settings).text : (await generateText(settings)).text
    expect(text).toBe('It is sunny in Oslo.')
    expect(await readOwnerMoney(owner)).toMatchObject({ receipts: 2, held: 0 })
  })

  it('gets an object in a schema', async () => {
    const schema = jsonSchema<{ city: string }>({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    })
    const { output } = await generateText({ model: model(), prompt: 'Where to?', output: Output.object({ schema }) })
    expect(output).toEqual({ city: expect.any(String) })
  })

  it('shows images', async () => {
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image' as const, image: new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]) },
    ]
    const { text } = await generateText({ model: model(), messages: [{ role: 'user', content }] })
    expect(text).toContain('I see 1 image')
  })

  it('throws APICallError with the status and our message, and retries none but 429 and 5xx', async () => {
    const poor = await makeChatter(0)
    for (const [call, statusCode, message] of [
      [() => generateText({ model: model('tg_wrong'), ...prompt({}) }), 401, /key/],
      [() => generateText({ model: model(poor.key.key), ...prompt({}) }), 402, /credits/],
      [() => generateText({ model: model(apiKey, 'x/y'), ...prompt({}) }), 400, /x\/y/],
    ] as const) {
      requests = 0
      const error = await call().catch((thrown) => thrown)
      expect(APICallError.isInstance(error)).toBe(true)
      expect(error).toMatchObject({ statusCode, message: expect.stringMatching(message), isRetryable: false })
      expect(requests).toBe(1)
    }
    requests = 0
    await expect(generateText({ model: model(), ...prompt({ status: 500 }), maxRetries: 1 })).rejects.toThrow()
    expect(requests).toBe(2)
  })

  it('reports a stream that breaks', async () => {
    const errors: unknown[] = []
    const result = streamText({
      model: model(),
      ...prompt({ text: LONG, failAfterChunks: 50 }),
      onError: ({ error }) => void errors.push(error),
    })
    await result.consumeStream()
    expect(errors.length).toBeGreaterThan(0)
    await settled()
  })

  it('aborts', async () => {
    const before = await sandboxUpstream.aborted()
    const leaving = new AbortController()
    const result = streamText({
      model: model(),
      ...prompt({ text: LONG, chunkDelayMs: 20 }),
      abortSignal: leaving.signal,
    })
    let pieces = 0
    for await (const _ of result.textStream) if (++pieces === 5) leaving.abort()
    await letGo(before)
    await settled()
    expect((await readOwnerMoney(owner)).charged).toBeGreaterThan(0)
  })
})
