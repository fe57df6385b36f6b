import { createOpenAI } from '@ai-sdk/openai'
import { Agent, tool as agentTool, OpenAIResponsesModel, run, setTracingDisabled } from '@openai/agents'
import { APICallError, generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai'
import OpenAI, {
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai'
import { zodTextFormat } from 'openai/helpers/zod'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { withSandbox } from '../support/api'
import { makeChatter, sandboxUpstream } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import { sharedListener } from '../support/listener'
import type { TestOwner } from '../support/owners'
import { scriptedText } from '../support/responses'
import { modelOf, withWireModels } from '../support/wire-models'

withWireModels(['chat', 'responses', 'messages'])
withSandbox()

const LONG = 'All work and no play makes for a dull afternoon. '.repeat(20).trim()
const PNG = 'data:image/png;base64,iVBORw0KGgo='

let baseURL: string
let owner: TestOwner
let apiKey: string
beforeAll(async () => {
  setTracingDisabled(true)
  baseURL = `${(await sharedListener()).url}/api/v1`
})
beforeEach(async () => {
  const made = await makeChatter()
  owner = made.owner
  apiKey = made.key.key
})

const settled = () => expect.poll(async () => (await readOwnerMoney(owner)).holds).toBe(0)

describe.each(['chat', 'responses', 'messages'] as const)('with an upstream that speaks %s', (wire) => {
  const model = modelOf(wire)

  describe('the openai SDK', () => {
    const client = (key = apiKey) => new OpenAI({ baseURL, apiKey: key, maxRetries: 0 })

    it('creates a response, with the charge next to it', async () => {
      const answer = await client().responses.create({ model, input: scriptedText({ text: 'Good day' }) })
      expect(answer.output_text).toBe('Good day')
      expect(answer).toMatchObject({ model, status: 'completed', service: { credits_charged: 1 } })
      expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, held: 0 })
    })

    it('streams, and puts the response together as we did', async () => {
      const stream = client().responses.stream({
        model,
        input: scriptedText({ text: LONG, reasoning: 'hm', toolCalls: [{ name: 'f', arguments: { a: 1 } }] }),
        tools: [{ type: 'function', name: 'f', parameters: { type: 'object', properties: {} }, strict: false }],
      })
      let text = ''
      const services: unknown[] = []
      for await (const event of stream) {
        if (event.type === 'response.output_text.delta') text += event.delta
        if ('service' in event) services.push(event.service)
      }
      expect(text).toBe(LONG)
      expect(services).toEqual([{ credits_charged: (await readOwnerMoney(owner)).charged }])
      const whole = await stream.finalResponse()
      expect(whole.output).toMatchObject([
        { type: 'reasoning', summary: [{ text: 'hm' }] },
        { type: 'message', content: [{ type: 'output_text', text: LONG }] },
        { type: 'function_call', name: 'f', arguments: '{"a":1}' },
      ])
      expect(whole.usage?.output_tokens).toBeGreaterThan(100)
    })

    it('parses an object in a schema', async () => {
      const format = zodTextFormat(z.object({ city: z.string() }), 'place')
      const answer = await client().responses.parse({ model, input: 'Where to?', text: { format } })
      expect(answer.output_parsed).toEqual({ city: expect.any(String) })
    })

    it('throws its own errors, with our message', async () => {
      const ask = (key: string, more: object = {}) => client(key).responses.create({ model, input: 'x', ...more })
      const poor = await makeChatter(0)
      const none = await makeChatter(1_000, { llm: false })
      const slow = await makeChatter(1_000, { rpm: 1 })
      await ask(slow.key.key)
      await expect(ask('tg_wrong')).rejects.toThrow(AuthenticationError)
      await expect(ask(none.key.key)).rejects.toThrow(PermissionDeniedError)
      await expect(ask(slow.key.key)).rejects.toThrow(RateLimitError)
      await expect(ask(poor.key.key)).rejects.toMatchObject({
        status: 402,
        code: 'insufficient_credits',
        type: 'insufficient_quota',
      })
      await expect(ask(apiKey, { background: true, store: false })).rejects.toThrow(BadRequestError)
      const unknown = ask(apiKey, { previous_response_id: 'resp_1' })
      await expect(unknown).rejects.toThrow(NotFoundError)
      await expect(unknown).rejects.toMatchObject({ param: 'previous_response_id' })
    })

    it('aborts', async () => {
      const before = await sandboxUpstream.aborted()
      const stream = await client().responses.create({
        model,
        input: scriptedText({ text: LONG, chunkDelayMs: 20 }),
        stream: true,
      })
      let pieces = 0
      for await (const { type } of stream) if (type === 'response.output_text.delta' && ++pieces === 5) break
      await expect.poll(sandboxUpstream.aborted).toBe(before + 1)
      await settled()
      expect((await readOwnerMoney(owner)).charged).toBeGreaterThan(0)
    })
  })

  describe('the AI SDK', () => {
    const openai = (key = apiKey) => createOpenAI({ baseURL, apiKey: key })(model)
    const unstored = { openai: { store: false } }
    const LOOPS = [false, true].flatMap((stream) => [undefined, unstored].map((options) => ({ stream, options })))

    it.each(LOOPS)('runs a loop of tool calls (stream: $stream, $options)', async ({ stream, options }) => {
      const script = {
        turns: [
          { reasoning: 'hm', toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] },
          { text: 'It is {{last}}.' },
        ],
      }
      const settings = {
        model: openai(),
        prompt: scriptedText(script),
        providerOptions: options,
        stopWhen: stepCountIs(3),
        tools: {
          weather: tool({
            description: 'The weather of a city',
            inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
            execute: async ({ city }) => `sunny in ${city}`,
          }),
        },
      }
      const text = stream ? await streamText(settings).text : (await generateText(settings)).text
      expect(text).toBe('It is sunny in Oslo.')
      expect(await readOwnerMoney(owner)).toMatchObject({ receipts: 2, held: 0 })
    })

    it('gets an object in a schema, and reasoning', async () => {
      const schema = jsonSchema<{ city: string }>({
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
        additionalProperties: false,
      })
      const prompt = scriptedText({ reasoning: 'hm' }, 'Where to?')
      const { output, reasoningText, usage } = await generateText({
        model: openai(),
        prompt,
        output: Output.object({ schema }),
      })
      expect(output).toEqual({ city: expect.any(String) })
      expect(reasoningText).toBe('hm')
      expect(usage.outputTokens).toBeGreaterThan(1)
    })

    it('shows images', async () => {
      const content = [
        { type: 'text' as const, text: 'What is this?' },
        { type: 'image' as const, image: PNG },
      ]
      const { text } = await generateText({ model: openai(), messages: [{ role: 'user', content }] })
      expect(text).toContain('I see 1 image')
    })

    it('throws APICallError with the status and our message, and does not retry 402', async () => {
      const poor = await makeChatter(0)
      const error = await generateText({ model: openai(poor.key.key), prompt: 'x' }).catch((thrown) => thrown)
      expect(APICallError.isInstance(error)).toBe(true)
      expect(error).toMatchObject({ statusCode: 402, isRetryable: false, message: expect.stringMatching(/credits/) })
    })

    it('reports a stream that breaks', async () => {
      const errors: unknown[] = []
      const result = streamText({
        model: openai(),
        prompt: scriptedText({ text: LONG, failAfterChunks: 50 }),
        onError: ({ error }) => void errors.push(error),
      })
      await result.consumeStream()
      const reason = await Promise.resolve(result.finishReason).catch(() => 'error')
      expect(errors.length > 0 || reason === 'error' || reason === 'other').toBe(true)
      await settled()
    })
  })

  describe('@openai/agents', () => {
    it.each([false, true])('runs an agent with a tool (stream: %s)', async (stream) => {
      const weather = agentTool({
        name: 'weather',
        description: 'The weather of a city',
        parameters: z.object({ city: z.string() }),
        execute: async ({ city }) => `sunny in ${city}`,
      })
      const agent = new Agent({
        name: 'Guide',
        instructions: 'You help travellers.',
        tools: [weather],
        model: new OpenAIResponsesModel(new OpenAI({ baseURL, apiKey }), model),
      })
      const prompt = scriptedText({
        turns: [
          { reasoning: 'hm', toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] },
          { text: 'It is {{last}}.' },
        ],
      })
      if (stream) {
        const result = await run(agent, prompt, { stream: true })
        await result.completed
        expect(result.finalOutput).toBe('It is sunny in Oslo.')
      } else expect((await run(agent, prompt)).finalOutput).toBe('It is sunny in Oslo.')
      expect(await readOwnerMoney(owner)).toMatchObject({ receipts: 2, held: 0 })
    })
  })
})

afterAll(() => setTracingDisabled(false))
