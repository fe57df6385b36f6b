import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countTokens, makeTokenCounter } from '../../models/tokens'
import { textsIn } from '../../models/wires/chat/texts'
import { startSandboxServer } from '../start'

let sandbox: Awaited<ReturnType<typeof startSandboxServer>>
let client: OpenAI
beforeAll(async () => {
  sandbox = await startSandboxServer({ port: 0 })
  client = new OpenAI({ baseURL: `${sandbox.url}/llm/v1`, apiKey: 'any', maxRetries: 0 })
})
afterAll(() => sandbox.stop())

type Params = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'model' | 'messages'>
const scripted = (script: object) => `[[sandbox ${JSON.stringify(script)}]]`
const user = (content: string) => ({ role: 'user' as const, content })
const say = (content: string, more: Params = {}) =>
  client.chat.completions.create({ model: 'gale-4', messages: [user(content)], ...more })
const stream = async (content: string, more: Params = {}) => {
  const include_usage = { stream_options: { include_usage: true } }
  const messages = [user(content)]
  const params = { model: 'gale-4', messages, ...include_usage, ...more, stream: true as const }
  return Array.fromAsync(await client.chat.completions.create(params))
}
const looking: OpenAI.ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'look',
    parameters: {
      type: 'object',
      properties: { where: { type: 'string' }, far: { type: 'integer' } },
      required: ['where'],
    },
  },
}

describe('an answer', () => {
  test('is the same for the same request, another for another', async () => {
    expect(await say('Hello')).toEqual(await say('Hello'))
    const text = (await say('Hello')).choices[0]?.message.content
    expect(text).toMatch(/^Hello\. I am a script/)
    expect((await say('Bye')).choices[0]?.message.content).not.toBe(text)
  })
  test('reports exactly the tokens its text has, and stops at the limit', async () => {
    const answer = await say(`x ${scripted({ text: 'one two three four five' })}`)
    expect(answer.usage).toMatchObject({ completion_tokens: await countTokens('one two three four five') })
    const cut = await say(`x ${scripted({ text: 'one two three four five' })}`, { max_completion_tokens: 3 })
    expect(cut.choices[0]).toMatchObject({ message: { content: 'one two three' }, finish_reason: 'length' })
    expect(cut.usage?.completion_tokens).toBe(3)
    expect((await say(scripted({ text: 'a. b. c.' }), { stop: ['b'] })).choices[0]?.message.content).toBe('a. ')
  })
  test('streamed is the same as whole: text, reasoning, calls and usage', async () => {
    const script = scripted({ text: 'The sea is there.', reasoning: 'Let me think.', toolCalls: [{ name: 'look' }] })
    const more = { tools: [looking], n: 2 }
    const whole = await say(script, more)
    const chunks = await stream(script, more)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage })
    const [one, other] = [makeTokenCounter(), makeTokenCounter()]
    one.addTexts(textsIn(whole as unknown as Record<string, unknown>))
    for (const chunk of chunks) other.addTexts(textsIn(chunk as unknown as Record<string, unknown>))
    expect(await one.total()).toBe(whole.usage?.completion_tokens)
    expect(await other.total()).toBe(whole.usage?.completion_tokens)
    expect(whole.choices.map((c) => c.finish_reason)).toEqual(['tool_calls', 'tool_calls'])
  })
  test('comes in as many pieces as asked, and with usage only when asked', async () => {
    const pieces = (await stream(scripted({ text: 'x'.repeat(500), chunks: 100 }))).filter(
      (c) => c.choices[0]?.delta.content,
    )
    expect(pieces).toHaveLength(100)
    const without = await stream('x', { stream_options: { include_usage: false } })
    expect(without.every((c) => c.choices.length === 1 && c.usage === undefined)).toBe(true)
  })
  test('sees how many images there are', async () => {
    const part = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,QUJD' } }
    const content = [{ type: 'text' as const, text: 'What is it?' }, part, part]
    const answer = await client.chat.completions.create({ model: 'gale-4', messages: [{ role: 'user', content }] })
    expect(answer.choices[0]?.message.content).toMatch(/^I see 2 images\. .*“What is it\?”/)
  })
  test('has choices and logprobs', async () => {
    const answer = await say('x', { n: 3, logprobs: true })
    expect(answer.choices.map((c) => c.index)).toEqual([0, 1, 2])
    const { message, logprobs } = answer.choices[0] ?? {}
    expect(logprobs?.content?.map((t) => t.token).join('')).toBe(message?.content)
  })
  test('fits a JSON schema', async () => {
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' }, size: { type: 'integer' } },
      required: ['city'],
    }
    const answer = await say('x', { response_format: { type: 'json_schema', json_schema: { name: 'town', schema } } })
    expect(JSON.parse(answer.choices[0]?.message.content ?? '')).toEqual({
      city: expect.any(String),
      size: expect.any(Number),
    })
    const object = await say('x', { response_format: { type: 'json_object' } })
    expect(JSON.parse(object.choices[0]?.message.content ?? '')).toEqual({ answer: expect.any(String) })
  })
})

describe('tools', () => {
  test('are called when the script says so, with arguments that fit', async () => {
    const answer = await say(
      scripted({ toolCalls: [{ name: 'look', arguments: { where: 'there' } }, { name: 'look' }] }),
      { tools: [looking] },
    )
    const calls = answer.choices[0]?.message.tool_calls as OpenAI.ChatCompletionMessageFunctionToolCall[]
    expect(calls.map((c) => JSON.parse(c.function.arguments))).toEqual([
      { where: 'there' },
      { where: 'sandbox', far: 1 },
    ])
    expect(answer.choices[0]).toMatchObject({ message: { content: null }, finish_reason: 'tool_calls' })
  })
  test('are called when the request forces it, and never without being offered', async () => {
    expect((await say('x', { tools: [looking] })).choices[0]?.message.tool_calls).toBeUndefined()
    expect((await say('x', { tools: [looking], tool_choice: 'required' })).choices[0]?.message.tool_calls).toHaveLength(
      1,
    )
    expect((await say(scripted({ toolCalls: [{ name: 'look' }] }))).choices[0]?.message.tool_calls).toBeUndefined()
  })
  test('lead from step to step, the last of which repeats', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      user(`Find it ${scripted({ turns: [{ toolCalls: [{ name: 'look' }] }, { text: 'I found {{last}}.' }] })}`),
    ]
    const step = async () => {
      const answer = await client.chat.completions.create({ model: 'm', messages, tools: [looking] })
      const message = answer.choices[0]?.message
      if (message) messages.push(message)
      return message
    }
    const called = await step()
    messages.push({ role: 'tool', tool_call_id: called?.tool_calls?.[0]?.id ?? '', content: 'a shell' })
    expect((await step())?.content).toBe('I found a shell.')
    messages.push(user('And now?'))
    expect((await step())?.content).toBe('I found And now?.')
  })
  test('and the system message choose between cases', async () => {
    const script = scripted({
      text: 'base',
      cases: [
        { system: 'router', text: 'routed' },
        { tool: 'look', text: 'seen' },
      ],
    })
    const answer = async (system: string, tools?: OpenAI.ChatCompletionTool[]) =>
      (
        await client.chat.completions.create({
          model: 'm',
          messages: [{ role: 'system', content: system }, user(script)],
          tools,
        })
      ).choices[0]?.message.content
    expect(await answer('You are the router.')).toBe('routed')
    expect(await answer('You are the eye.', [looking])).toBe('seen')
    expect(await answer('You are nobody.')).toBe('base')
  })
})

describe('failures', () => {
  test('by status, with their words', async () => {
    const failing = say(scripted({ status: 429, message: 'Slow down', code: 'too_fast', param: 'n', retryAfterS: 3 }))
    await expect(failing).rejects.toMatchObject({ status: 429, code: 'too_fast', param: 'n', message: '429 Slow down' })
    await failing.catch((error) => expect(error.headers.get('retry-after')).toBe('3'))
  })
  test('for so many times', async () => {
    const script = scripted({ status: 500, failTimes: 2, text: 'at last', message: `${Math.random()}` })
    await expect(say(script)).rejects.toMatchObject({ status: 500 })
    await expect(say(script)).rejects.toMatchObject({ status: 500 })
    expect((await say(script)).choices[0]?.message.content).toBe('at last')
  })
  test.each([
    ['negative', { prompt_tokens: expect.toSatisfy((n) => n < 0) }],
    ['string', { prompt_tokens: expect.any(String) }],
    ['float', { completion_tokens: 1.25 }],
    ['zero', { prompt_tokens: 0, completion_tokens: 0 }],
    ['x10', { completion_tokens: 10 }],
    [{ odd: true }, { odd: true }],
  ])('usage that lies: %j', async (usage, expected) => {
    const script = scripted({ text: 'a', usage })
    expect((await say(script)).usage).toMatchObject(expected)
    expect((await stream(script)).at(-1)?.usage).toMatchObject(expected)
  })
  test('usage that never comes', async () => {
    const script = scripted({ text: 'a', usage: 'none' })
    expect((await say(script)).usage).toBeUndefined()
    expect((await stream(script)).at(-1)?.choices[0]?.finish_reason).toBe('stop')
  })
  test('an error with status 200, whole and streamed', async () => {
    expect(await say(scripted({ errorBody200: true }))).toMatchObject({ error: { code: 502 } })
    await expect(stream(scripted({ errorBody200: true }))).rejects.toThrow()
  })
  test('a wrong key, an upstream that never works, a script that cannot be read', async () => {
    const wrong = new OpenAI({ baseURL: `${sandbox.url}/llm/v1`, apiKey: 'wrong', maxRetries: 0 })
    await expect(wrong.chat.completions.create({ model: 'm', messages: [] })).rejects.toMatchObject({ status: 401 })
    await expect(client.chat.completions.create({ model: 'always-503', messages: [] })).rejects.toMatchObject({
      status: 503,
    })
    await expect(say('[[sandbox {"txt": "x"}]]')).rejects.toMatchObject({ status: 400 })
    await expect(say('[[sandbox {"text": "x"')).rejects.toMatchObject({ status: 400 })
  })
  test('pauses take their time', async () => {
    const started = performance.now()
    await stream(scripted({ text: 'a b c', delayMs: 50, chunkDelayMs: 50 }))
    expect(performance.now() - started).toBeGreaterThan(140)
  })
})

test('a caller who leaves is counted once, one who stays is not', async () => {
  const count = async () => ((await (await fetch(`${sandbox.url}/llm/__aborted`)).json()) as { count: number }).count
  const before = await count()
  await say('x')
  await stream('x')
  expect(await count()).toBe(before)
  for (const script of [
    { hang: true },
    { delayMs: 5_000 },
    { text: 'a b', chunkDelayMs: 5_000 },
    { stopAfterTextBeforeUsage: true },
  ]) {
    const seen = await count()
    const caller = new AbortController()
    setTimeout(() => caller.abort(), 100)
    const params = { model: 'm', messages: [user(scripted(script))], stream: true as const }
    const run = async () => Array.fromAsync(await client.chat.completions.create(params, { signal: caller.signal }))
    await run().catch(() => {})
    await expect.poll(count).toBe(seen + 1)
  }
})

test('the list of models has the form routers use', async () => {
  const list = await Array.fromAsync(client.models.list())
  expect(list).toHaveLength(17)
  expect(list[0]).toMatchObject({ id: 'northwind/gale-4', pricing: { prompt: '0.0000025' } })
})
