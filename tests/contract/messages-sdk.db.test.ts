import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAnthropic } from '@ai-sdk/anthropic'
import Anthropic, {
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  PaymentRequiredError,
  PermissionDeniedError,
  RateLimitError,
} from '@anthropic-ai/sdk'
import { APICallError, generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHttpServer } from '../../server/cli/web/http-server'
import { withSandbox } from '../support/api'
import { CHAT_MODEL, makeChatter, sandboxUpstream } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import { modelCalls } from '../support/messages'
import type { TestOwner } from '../support/owners'
import { modelOf, withWireModels } from '../support/wire-models'

withSandbox()
withWireModels(['messages'])

let server: Server
let url: string
let requests = 0
let owner: TestOwner
let apiKey: string

beforeAll(async () => {
  server = createHttpServer((_req, res) => void res.writeHead(404).end(), { count: 0 })
  server.prependListener('request', () => requests++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
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
const weather = {
  name: 'weather',
  description: 'The weather of a city',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' as const } }, required: ['city'] },
}
const settled = () => expect.poll(async () => (await readOwnerMoney(owner)).holds).toBe(0)

describe.each([
  ['a chat upstream', CHAT_MODEL],
  ['an upstream of its own wire', modelOf('messages')],
])('the Anthropic SDK with %s', (_name, model) => {
  const client = (key = apiKey, options: object = {}) =>
    new Anthropic({ baseURL: `${url}/api`, apiKey: key, ...options })
  const ask = (value: object, more: object = {}, key?: string) =>
    client(key).messages.create({ model, max_tokens: 1_000, messages: user(value), ...more, stream: false })

  it('gets a message, with the charge beside it', async () => {
    const answer = await ask({ text: 'Good day' })
    expect(answer.content).toMatchObject([{ type: 'text', text: 'Good day' }])
    expect(answer).toMatchObject({ model, usage: { output_tokens: 2 }, service: { credits_charged: 1 } })
    expect(answer._request_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, held: 0 })
  })

  it('takes the key as a bearer token too', async () => {
    const bearer = new Anthropic({ baseURL: `${url}/api`, apiKey: null, authToken: apiKey })
    expect(await bearer.messages.create({ model, max_tokens: 9, messages: user({ text: 'ok' }) })).toHaveProperty(
      'service',
    )
  })

  it('streams, event by event and through its helper', async () => {
    const events = await Array.fromAsync(
      await client().messages.create({ model, max_tokens: 1_000, messages: user({ text: LONG }), stream: true }),
    )
    const services = events.flatMap((event) => ('service' in event ? [[event.type, event.service]] : []))
    expect(services).toEqual([['message_stop', { credits_charged: (await readOwnerMoney(owner)).charged }]])

    const stream = client().messages.stream({
      model,
      max_tokens: 1_000,
      messages: user({ text: LONG, reasoning: 'hm', toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] }),
      tools: [weather],
    })
    const pieces: string[] = []
    stream.on('text', (piece) => pieces.push(piece))
    const message = await stream.finalMessage()
    expect(pieces.join('')).toBe(LONG)
    expect(message.stop_reason).toBe('tool_use')
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'hm', signature: expect.stringMatching(/\S/) },
      { type: 'text', text: LONG },
      { type: 'tool_use', name: 'weather', input: { city: 'Oslo' } },
    ])
    expect(message.usage.input_tokens).toBeGreaterThan(10)
    expect(message.usage.output_tokens).toBeGreaterThan(190)
  })

  it.each([false, true])('runs tools, there and back, with the thinking before them (stream: %s)', async (stream) => {
    const turns = [
      {
        reasoning: 'Ask.',
        toolCalls: [
          { name: 'weather', arguments: { city: 'Oslo' } },
          { name: 'weather', arguments: { city: 'Rome' } },
        ],
      },
      { text: 'It is {{last}}.' },
    ]
    const asked: unknown[] = []
    const run = async (input: unknown) => {
      asked.push(input)
      return 'sunny'
    }
    const tools = [{ ...weather, run, parse: (input: unknown) => input }]
    const base = { model, max_tokens: 1_000, messages: user({ turns }), tools }
    const runner = stream
      ? client().beta.messages.toolRunner({ ...base, stream: true })
      : client().beta.messages.toolRunner(base)
    const final = await runner.runUntilDone()
    expect(final.content).toMatchObject([{ type: 'text', text: 'It is sunny.' }])
    expect(asked).toEqual([{ city: 'Oslo' }, { city: 'Rome' }])
    expect(await readOwnerMoney(owner)).toMatchObject({ receipts: 2, held: 0 })
  })

  it('gets an answer in a JSON schema', async () => {
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    }
    const answer = await client().messages.create({
      model,
      max_tokens: 200,
      messages: [{ role: 'user', content: 'Where to?' }],
      output_config: { format: { type: 'json_schema', schema } },
    })
    const [block] = answer.content
    expect(JSON.parse(block?.type === 'text' ? block.text : '')).toEqual({ city: expect.any(String) })
  })

  it('counts tokens, for free', async () => {
    const counted = await client().messages.countTokens({ model, messages: user({}), tools: [weather], system: LONG })
    expect(counted.input_tokens).toBeGreaterThan(200)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, receipts: 0 })
  })

  it.each([
    ['401', AuthenticationError, 'authentication_error', () => ask({}, {}, 'tg_wrong')],
    ['400', BadRequestError, 'invalid_request_error', () => ask({}, { max_tokens: 0 })],
    ['400 of the upstream', BadRequestError, 'invalid_request_error', () => ask({ status: 400 })],
    ['402', PaymentRequiredError, 'billing_error', async () => ask({}, {}, (await makeChatter(0)).key.key)],
    [
      '403',
      PermissionDeniedError,
      'permission_error',
      async () => ask({}, {}, (await makeChatter(9, { llm: false })).key.key),
    ],
  ])('throws its own exception for %s, without trying again', async (_status, kind, type, call) => {
    const error = await call().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(kind)
    expect(error).toMatchObject({
      type,
      requestID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      apiMessage: expect.stringMatching(/\S/),
    })
    expect(requests).toBe(1)
  })

  it('throws RateLimitError for 429, and APIError for 502 after trying again', async () => {
    const slow = await makeChatter(1_000, { rpm: 1 })
    const once = client(slow.key.key, { maxRetries: 0 })
    const request = { model, max_tokens: 9, messages: user({ text: 'ok' }) }
    await once.messages.create(request)
    await expect(once.messages.create(request)).rejects.toBeInstanceOf(RateLimitError)
    requests = 0
    const failing = client(apiKey, { maxRetries: 1 }).messages.create({ ...request, messages: user({ status: 529 }) })
    await expect(failing).rejects.toMatchObject({ status: 502, type: 'api_error' })
    expect(requests).toBe(2)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, held: 0, receipts: 2 })
  })

  it('throws APIError in the middle of a stream that breaks', async () => {
    const messages = user({ text: LONG, failAfterChunks: 50 })
    const stream = client().messages.stream({ model, max_tokens: 1_000, messages })
    const error = await stream.finalMessage().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(APIError)
    expect(error).toMatchObject({
      error: { error: { code: 'upstream_error' }, service: { credits_charged: expect.any(Number) } },
    })
    await settled()
  })

  it('aborts a stream and a call', async () => {
    const before = await sandboxUpstream.aborted()
    const stream = await client().messages.create({
      model,
      max_tokens: 1_000,
      messages: user({ text: LONG, chunkDelayMs: 20 }),
      stream: true,
    })
    let events = 0
    for await (const _ of stream) if (++events === 8) break
    await expect.poll(sandboxUpstream.aborted).toBe(before + 1)
    const leaving = new AbortController()
    const request = { model, max_tokens: 9, messages: user({ hang: true }) }
    const call = client().messages.create(request, { signal: leaving.signal })
    await expect.poll(modelCalls).toBe(2)
    leaving.abort()
    await expect(call).rejects.toBeInstanceOf(APIUserAbortError)
    await expect.poll(sandboxUpstream.aborted).toBe(before + 2)
    await settled()
    expect((await readOwnerMoney(owner)).charged).toBeGreaterThan(0)
  })
})

describe.each([
  ['a chat upstream', CHAT_MODEL],
  ['an upstream of its own wire', modelOf('messages')],
])('the ai SDK, in the messages wire, with %s', (_name, id) => {
  const model = (key = apiKey) => createAnthropic({ baseURL: `${url}/api/v1`, apiKey: key })(id)
  const maxOutputTokens = 1_000

  it('generates and streams text, with reasoning and usage', async () => {
    const messages = user({ text: LONG, reasoning: 'let me see' })
    const { text, usage, finishReason } = await generateText({ model: model(), messages, maxOutputTokens })
    expect([text, finishReason]).toEqual([LONG, 'stop'])
    const result = streamText({ model: model(), messages, maxOutputTokens })
    expect(await result.text).toBe(LONG)
    expect(await result.reasoningText).toBe('let me see')
    expect(await result.usage).toMatchObject({ inputTokens: usage.inputTokens, outputTokens: usage.outputTokens })
    expect(await readOwnerMoney(owner)).toMatchObject({ receipts: 2, held: 0 })
  })

  it.each([false, true])('runs tools, there and back (stream: %s)', async (stream) => {
    const call = { reasoning: 'Ask.', toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] }
    const settings = {
      model: model(),
      maxOutputTokens,
      messages: user({ turns: [call, { text: 'It is {{last}}.' }] }),
      stopWhen: stepCountIs(3),
      tools: {
        weather: tool({
          description: weather.description,
          inputSchema: jsonSchema<{ city: string }>(weather.input_schema),
          execute: async ({ city }) => `sunny in ${city}`,
        }),
      },
    }
    const text = stream ? await streamText(settings).text : (await generateText(settings)).text
    expect(text).toBe('It is sunny in Oslo.')
    expect(await readOwnerMoney(owner)).toMatchObject({ receipts: 2, held: 0 })
  })

  it('gets an object in a schema, and shows images', async () => {
    const schema = jsonSchema<{ city: string }>({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    })
    const { output } = await generateText({
      model: model(),
      prompt: 'Where to?',
      output: Output.object({ schema }),
      maxOutputTokens,
    })
    expect(output).toEqual({ city: expect.any(String) })
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image' as const, image: new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]) },
    ]
    const seen = await generateText({ model: model(), messages: [{ role: 'user', content }], maxOutputTokens })
    expect(seen.text).toContain('I see 1 image')
  })

  it('throws APICallError for 402 with our message, without trying again', async () => {
    const poor = await makeChatter(0)
    const call = generateText({ model: model(poor.key.key), messages: user({}), maxOutputTokens })
    const error = await call.catch((thrown: unknown) => thrown)
    expect(APICallError.isInstance(error)).toBe(true)
    expect(error).toMatchObject({ statusCode: 402, message: expect.stringMatching(/credits/), isRetryable: false })
    expect(requests).toBe(1)
  })
})
