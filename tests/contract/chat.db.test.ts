import { describe, expect, it } from 'vitest'
import { send, withSandbox } from '../support/api'
import {
  CHAT_MODEL,
  CHAT_PATH,
  creditsAtChatModel,
  makeChatter,
  receiptOf,
  sandboxUpstream,
  scriptedBody,
  scriptedMessage,
  sendChat,
} from '../support/chat'
import { readOwnerMoney } from '../support/ledger'

withSandbox()

type Usage = { prompt_tokens: number; completion_tokens: number; total_tokens: number }
const usageIn = (body: Record<string, unknown>) => body.usage as Usage
const LONG = 'All work and no play makes for a dull afternoon. '.repeat(40)

describe('200', () => {
  it('answers as the upstream did, under our model id, with the billing block', async () => {
    const { key } = await makeChatter()
    const answer = await sendChat(key.key, scriptedBody({ text: 'Good day' }))
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      object: 'chat.completion',
      model: CHAT_MODEL,
      choices: [{ index: 0, message: { role: 'assistant', content: 'Good day' }, finish_reason: 'stop' }],
      service: { credits_charged: 1 },
    })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('9999')
  })

  it('charges tokens × price rounded up once, and the receipt shows from what', async () => {
    const { owner, key } = await makeChatter()
    const answer = await sendChat(key.key, scriptedBody({ text: LONG }))
    const { prompt_tokens, completion_tokens } = usageIn(answer.body)
    const credits = creditsAtChatModel(prompt_tokens, completion_tokens)
    expect(credits).toBeGreaterThan(10)
    expect(answer.body.service).toEqual({ credits_charged: credits })
    expect(await readOwnerMoney(owner)).toEqual({
      available: 1_000_000 - credits,
      held: 0,
      charged: credits,
      receipts: 1,
      holds: 0,
    })
    const receipt = await receiptOf(key.key, answer)
    expect(receipt).toMatchObject({
      channel: 'chat',
      product: 'chat',
      what: CHAT_MODEL,
      status: 'ok',
      detail: {
        inputTokens: prompt_tokens,
        outputTokens: completion_tokens,
        creditsPer1mInput: 8334,
        creditsPer1mOutput: 33336,
        estimated: false,
        durationMs: expect.any(Number),
      },
    })
    const { held, charged, released } = receipt.credits as Record<string, number>
    expect([charged, released]).toEqual([credits, (held ?? 0) - credits])
    expect(held).toBeGreaterThanOrEqual(credits)
  })

  it('charges at least 1 credit when any token was used', async () => {
    const { owner, key } = await makeChatter()
    const answer = await sendChat(key.key, scriptedBody({ text: 'x' }, { model: 'lantern/wick-tiny' }))
    expect(answer.body.service).toEqual({ credits_charged: 1 })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1 })
  })

  it('takes x-api-key as well', async () => {
    const { key } = await makeChatter()
    const answer = await send(CHAT_PATH, { headers: { 'x-api-key': key.key }, body: scriptedBody({ text: 'ok' }) })
    expect(answer.status).toBe(200)
  })

  it('calls tools: their calls come through, arguments as they were', async () => {
    const { key } = await makeChatter()
    const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }]
    const { body } = await sendChat(
      key.key,
      scriptedBody({ toolCalls: [{ name: 'weather', arguments: '{"city": "Oslo"}', id: 'call_7' }] }, { tools }),
    )
    expect(body.choices).toMatchObject([
      {
        finish_reason: 'tool_calls',
        message: {
          content: null,
          tool_calls: [{ id: 'call_7', function: { name: 'weather', arguments: '{"city": "Oslo"}' } }],
        },
      },
    ])
  })

  it.each([1, 8])('answers n = %i choices and bills them all', async (n) => {
    const { key } = await makeChatter()
    const { body } = await sendChat(key.key, scriptedBody({ text: LONG }, { n }))
    expect(body.choices).toHaveLength(n)
    const { prompt_tokens, completion_tokens } = usageIn(body)
    expect(completion_tokens).toBeGreaterThan(n * 300)
    expect(body.service).toEqual({ credits_charged: creditsAtChatModel(prompt_tokens, completion_tokens) })
  })
})

describe('what passes', () => {
  const fields = {
    tools: [
      { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true } },
    ],
    tool_choice: 'none',
    parallel_tool_calls: false,
    response_format: { type: 'text' },
    stop: ['zzz'],
    seed: 42,
    n: 2,
    logprobs: true,
    top_logprobs: 3,
    reasoning_effort: 'low',
    temperature: 0.3,
    top_p: 0.9,
    presence_penalty: 0.1,
    frequency_penalty: -0.1,
    logit_bias: { 50256: -100 },
    user: 'someone',
    metadata: { a: 'b' },
    prediction: { type: 'content', content: 'x' },
    verbosity: 'low',
    max_completion_tokens: 50,
    modalities: ['text'],
    x_unknown: { deep: [1, null, { a: 'é' }] },
  }

  it('is every field of the request, unknown ones too, but for the model', async () => {
    const { key } = await makeChatter()
    const body = scriptedBody({ text: 'ok' }, fields)
    expect(await sendChat(key.key, body)).toMatchObject({ status: 200 })
    expect((await sandboxUpstream.last()).body).toEqual({ ...body, model: 'gale-4' })
  })

  it('is every field of a message and of its parts', async () => {
    const { key } = await makeChatter()
    const messages = [
      { role: 'developer', content: 'Be brief.', name: 'ops' },
      { role: 'system', content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'done' },
      { role: 'assistant', content: '', refusal: null, x_more: true },
      scriptedMessage({ text: 'ok' }),
    ]
    expect(await sendChat(key.key, { model: CHAT_MODEL, messages, max_tokens: 9 })).toMatchObject({ status: 200 })
    expect((await sandboxUpstream.last()).body).toEqual({ model: 'gale-4', messages, max_tokens: 9 })
  })

  it('is, when streaming, the same, with usage asked for and other stream options kept', async () => {
    const { key } = await makeChatter()
    const body = scriptedBody({ text: 'ok' }, { ...fields, stream: true, stream_options: { x_more: 1 } })
    expect(await sendChat(key.key, body)).toMatchObject({ status: 200 })
    expect((await sandboxUpstream.last()).body).toEqual({
      ...body,
      model: 'gale-4',
      stream_options: { x_more: 1, include_usage: true },
    })
  })

  it('is every field of the answer, unknown ones too', async () => {
    const { key } = await makeChatter()
    const { body } = await sendChat(key.key, scriptedBody({ text: 'one two', reasoning: 'hm' }, { logprobs: true }))
    expect(body).toMatchObject({
      sandbox: true,
      system_fingerprint: 'fp_sandbox',
      choices: [
        { message: { reasoning: 'hm', refusal: null }, logprobs: { content: [{ token: 'one' }, { token: ' two' }] } },
      ],
      usage: { completion_tokens_details: { reasoning_tokens: 1 }, prompt_tokens_details: { cached_tokens: 0 } },
    })
  })

  it.each(['store', 'service_tier'])('is not %s', async (name) => {
    const { key } = await makeChatter()
    expect(
      await sendChat(key.key, scriptedBody({ text: 'ok' }, { [name]: name === 'store' ? true : 'flex' })),
    ).toMatchObject({
      status: 200,
    })
    expect((await sandboxUpstream.last()).body).not.toHaveProperty(name)
  })

  it('is not the caller’s key, nor any other header of the caller', async () => {
    const { key } = await makeChatter()
    await sendChat(key.key, scriptedBody({ text: 'ok' }), {
      'x-secret': 'mine',
      cookie: 'a=b',
      'openai-organization': 'o',
    })
    const { headers } = await sandboxUpstream.last()
    expect(JSON.stringify(headers)).not.toContain(key.key)
    for (const name of ['x-secret', 'cookie', 'openai-organization', 'x-api-key'])
      expect(headers).not.toHaveProperty(name)
  })
})

describe('usage that is not to be believed', () => {
  it.each(['none', 'negative', 'string', 'float', 'zero'])('is counted here when it is %s', async (usage) => {
    const { owner, key } = await makeChatter()
    const answer = await sendChat(key.key, scriptedBody({ text: LONG, usage }))
    const counted = usageIn(answer.body)
    expect(counted.completion_tokens).toBeGreaterThan(300)
    expect(counted.total_tokens).toBe(counted.prompt_tokens + counted.completion_tokens)
    const credits = creditsAtChatModel(counted.prompt_tokens, counted.completion_tokens)
    expect(answer.body.service).toEqual({ credits_charged: credits })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: credits, held: 0 })
    expect(await receiptOf(key.key, answer)).toMatchObject({ detail: { estimated: true } })
  })

  it('costs no more than was held when it is ten times too high; the rest is the operator’s loss', async () => {
    const { owner, key } = await makeChatter()
    const answer = await sendChat(key.key, scriptedBody({ text: LONG, usage: 'x10' }, { max_tokens: 500 }))
    const { held } = (await receiptOf(key.key, answer)).credits as { held: number }
    const { prompt_tokens, completion_tokens } = usageIn(answer.body)
    const reported = creditsAtChatModel(prompt_tokens, completion_tokens)
    expect(reported).toBeGreaterThan(held)
    expect(answer.body.service).toEqual({ credits_charged: held })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: held, held: 0 })
    const receipt = await receiptOf(key.key, answer)
    expect(receipt).toMatchObject({ credits: { charged: held, released: 0 }, detail: { loss: reported - held } })
  })
})
