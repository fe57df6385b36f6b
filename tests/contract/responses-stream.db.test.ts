import { describe, expect, it } from 'vitest'
import { openStreams, sseTiming } from '../../server/kit/sse'
import { send, waitForCallsToEnd, withSandbox } from '../support/api'
import { creditsAtChatModel, makeChatter, receiptOf, sandboxUpstream } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import { sharedListener } from '../support/listener'
import {
  chargeOfStream,
  outputText,
  RESPONSES_PATH,
  scriptedResponse,
  sendResponses,
  streamResponses,
  typesIn,
} from '../support/responses'
import { modelOf, withWireModels } from '../support/wire-models'

withWireModels(['chat', 'responses', 'messages'])
withSandbox()

const LONG = 'All work and no play makes for a dull afternoon. '.repeat(40).trim()
const weather = { type: 'function', name: 'weather', parameters: { type: 'object', properties: {} }, strict: false }

type Deltas = { type: string; delta?: string; output_index?: number }[]
const joined = (sent: Deltas, type: string, index?: number): string =>
  sent
    .filter((event) => event.type === `response.${type}.delta` && (index ?? event.output_index) === event.output_index)
    .map(({ delta }) => delta)
    .join('')

describe.each(['chat', 'responses', 'messages'] as const)('a stream from an upstream that speaks %s', (wire) => {
  const model = modelOf(wire)
  const ask = async (script: Record<string, unknown>, more: object = {}) => {
    const { owner, key } = await makeChatter()
    const answer = await streamResponses(key.key, scriptedResponse(script, { model, ...more }))
    expect(answer.status).toBe(200)
    return { ...answer, owner, key: key.key, answer }
  }

  it('has the events of the API in their order, and is not to be buffered', async () => {
    const { sent, last, answer, text } = await ask({ text: 'one two three' })
    expect(typesIn(sent)).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ])
    expect(joined(sent, 'output_text')).toBe('one two three')
    expect(outputText(last)).toBe('one two three')
    expect(last).toMatchObject({ status: 'completed', model, store: true, usage: { output_tokens: 3 } })
    for (const event of sent) {
      expect(event).not.toHaveProperty('obfuscation')
      if (event.response) expect(event.response).toMatchObject({ model, store: true, id: last.id })
    }
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(answer.headers.get('x-accel-buffering')).toBe('no')
    expect(openStreams.count).toBe(0)
  })

  it('costs what the same answer costs without a stream, and the ledger and the receipt say the same', async () => {
    const { owner, key, sent, last, answer } = await ask({ text: LONG })
    const { input_tokens, output_tokens } = last.usage as { input_tokens: number; output_tokens: number }
    const credits = creditsAtChatModel(input_tokens, output_tokens)
    expect(credits).toBeGreaterThan(10)
    expect(chargeOfStream({ sent })).toBe(credits)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: credits, held: 0, holds: 0, receipts: 1 })
    expect(await receiptOf(key, answer)).toMatchObject({
      channel: 'responses',
      status: 'ok',
      credits: { charged: credits },
      detail: { inputTokens: input_tokens, outputTokens: output_tokens, estimated: false },
    })
    const whole = await sendResponses(key, scriptedResponse({ text: LONG }, { model }))
    expect(whole.body.service).toEqual({ credits_charged: credits })
  })

  it('brings reasoning, text and parallel calls one after another, each whole at its end', async () => {
    const toolCalls = [
      { name: 'weather', arguments: '{"city":"Oslo"}', id: 'call_7' },
      { name: 'weather', arguments: '{"city":"Rome"}', id: 'call_8' },
    ]
    const { sent, last } = await ask({ reasoning: 'hm hm', text: 'Wait.', toolCalls }, { tools: [weather] })
    expect(typesIn(sent).filter((type) => /^(output_item|reasoning)/.test(type))).toEqual(
      [
        ['output_item.added', 'reasoning_summary_part.added', 'reasoning_summary_text.delta'],
        ['reasoning_summary_text.done', 'reasoning_summary_part.done', 'output_item.done'],
        ['output_item.added', 'output_item.done'],
        wire === 'responses'
          ? ['output_item.added', 'output_item.done', 'output_item.added', 'output_item.done']
          : ['output_item.added', 'output_item.added', 'output_item.done', 'output_item.done'],
      ].flat(),
    )
    expect(joined(sent, 'reasoning_summary_text')).toBe('hm hm')
    expect(joined(sent, 'function_call_arguments', 2)).toBe('{"city":"Oslo"}')
    expect(joined(sent, 'function_call_arguments', 3)).toBe('{"city":"Rome"}')
    const done = sent.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)
    expect(done).toEqual(last.output)
    expect(last.output).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'hm hm' }], encrypted_content: expect.any(String) },
      { type: 'message', content: [{ text: 'Wait.' }] },
      { type: 'function_call', call_id: 'call_7', arguments: '{"city":"Oslo"}' },
      { type: 'function_call', call_id: 'call_8', arguments: '{"city":"Rome"}' },
    ])
  })

  it('brings the input of a custom tool', async () => {
    const tools = [{ type: 'custom', name: 'apply_patch' }]
    const toolCalls = [{ name: 'apply_patch', arguments: '{"input": "*** Begin\\n+a"}' }]
    const { sent, last } = await ask({ toolCalls }, { tools })
    expect(joined(sent, 'custom_tool_call_input')).toBe('*** Begin\n+a')
    expect(typesIn(sent)).toContain('custom_tool_call_input.done')
    expect(last.output).toMatchObject([{ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin\n+a' }])
  })

  it('ends incomplete at the output limit', async () => {
    const { owner, sent, last } = await ask({ text: LONG }, { max_output_tokens: 16 })
    expect(sent.at(-1)?.type).toBe('response.incomplete')
    expect(last).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: chargeOfStream({ sent }), held: 0 })
  })

  it.each(['none', 'negative', 'zero'])('with usage that is %s is charged what was counted', async (usage) => {
    const { owner, key, sent, last, answer } = await ask({ text: LONG, reasoning: 'hm', usage })
    const charged = chargeOfStream({ sent })
    expect(charged).toBeGreaterThan(10)
    expect(last.usage).toMatchObject({ output_tokens: expect.any(Number) })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged, held: 0 })
    expect(await receiptOf(key, answer)).toMatchObject({ status: 'ok', detail: { estimated: true } })
  })

  it.each([
    ['an error', { failAfterChunks: 150 }],
    ['a cut connection', { cutAfterChunks: 150 }],
    ['garbage', { garbageAfterChunks: 150 }],
  ])('that breaks by %s ends with response.failed and the charge of what came', async (_name, script) => {
    const { owner, key, sent, last, answer, text } = await ask({ text: LONG, ...script, message: 'secret words' })
    expect(joined(sent, 'output_text').split(' ')).toHaveLength(150)
    expect(sent.at(-1)?.type).toBe('response.failed')
    expect(last).toMatchObject({
      status: 'failed',
      model,
      error: { code: 'upstream_error', message: expect.any(String) },
    })
    expect(text).not.toMatch(/secret words|\[DONE\]/)
    const charged = chargeOfStream({ sent })
    expect(charged).toBeGreaterThan(4)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged, held: 0, holds: 0, receipts: 1 })
    expect(await receiptOf(key, answer)).toMatchObject({ status: 'failed', detail: { estimated: true } })
  })

  it('whose client leaves lets the upstream go, and what came is charged', async () => {
    const { owner, key } = await makeChatter()
    const before = await sandboxUpstream.aborted()
    const leaving = new AbortController()
    const { url } = await sharedListener()
    const response = await fetch(url + RESPONSES_PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(scriptedResponse({ text: LONG, chunkDelayMs: 20 }, { model, stream: true })),
      signal: leaving.signal,
    })
    const reader = response.body?.getReader()
    for (let i = 0; i < 20; i++) await reader?.read()
    leaving.abort()
    await waitForCallsToEnd()
    await expect.poll(sandboxUpstream.aborted).toBe(before + 1)
    const money = await readOwnerMoney(owner)
    expect(money).toMatchObject({ held: 0, holds: 0, receipts: 1 })
    expect(money.charged).toBeGreaterThan(0)
  })

  it('whose model is silent opens with a comment', async () => {
    const production = { ...sseTiming }
    Object.assign(sseTiming, { openAfterMs: 250, keepaliveMs: 200 })
    try {
      const { comments, last, text } = await ask({ text: 'late', delayMs: 1_500 })
      expect(text).toMatch(/^: keepalive\n\n/)
      expect(comments.length).toBeGreaterThanOrEqual(2)
      expect(outputText(last)).toBe('late')
    } finally {
      Object.assign(sseTiming, production)
    }
  })

  it('that fails after its headers has its whole life all the same, and costs nothing', async () => {
    const production = { ...sseTiming }
    Object.assign(sseTiming, { openAfterMs: 100, keepaliveMs: 200 })
    try {
      const { owner, sent, last } = await ask({ status: 500, delayMs: 1_000 })
      expect(typesIn(sent)).toEqual(['created', 'in_progress', 'failed'])
      expect(last).toMatchObject({ status: 'failed', error: { code: 'upstream_error' } })
      expect(chargeOfStream({ sent })).toBe(0)
      expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, held: 0, holds: 0, receipts: 1 })
    } finally {
      Object.assign(sseTiming, production)
    }
  })
})

describe('an upstream of the same wire that ends without its last event', () => {
  it('has failed, and what came is charged', async () => {
    const { owner, key } = await makeChatter()
    const body = scriptedResponse({ text: LONG, noDone: true }, { model: modelOf('responses') })
    const { sent, last } = await streamResponses(key.key, body)
    expect(sent.at(-1)?.type).toBe('response.failed')
    expect(last).toMatchObject({ status: 'failed', output: [{ type: 'message', content: [{ text: LONG }] }] })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: chargeOfStream({ sent }), held: 0 })
  })
})

describe('chat completions from an upstream that speaks responses', () => {
  const chat = (key: string, script: object, more: object = {}) =>
    send('/api/v1/chat/completions', {
      key,
      body: {
        model: modelOf('responses'),
        messages: [{ role: 'user', content: `Hello [[sandbox ${JSON.stringify(script)}]]` }],
        ...more,
      },
    })
  const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }]

  it('are answered as from any other, and the reasoning goes back as it came', async () => {
    const { owner, key } = await makeChatter()
    const script = {
      turns: [{ reasoning: 'hm', toolCalls: [{ name: 'weather', id: 'c1' }] }, { text: 'It is {{last}}.' }],
    }
    const { body } = await chat(key.key, script, { tools })
    const [choice] = body.choices as { message: Record<string, unknown>; finish_reason: string }[]
    expect(choice).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        reasoning: 'hm',
        reasoning_details: [{ type: 'reasoning.summary' }, { type: 'reasoning.encrypted' }],
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather' } }],
      },
    })
    expect(body).toMatchObject({
      object: 'chat.completion',
      model: modelOf('responses'),
      usage: { total_tokens: expect.any(Number) },
    })
    const messages = [
      { role: 'user', content: `Hello [[sandbox ${JSON.stringify(script)}]]` },
      choice?.message,
      { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
    ]
    const again = await chat(key.key, {}, { messages, tools })
    expect(again.body.choices).toMatchObject([{ message: { content: 'It is sunny.' }, finish_reason: 'stop' }])
    const seen = (await sandboxUpstream.last()).body
    expect(seen).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
    expect((seen.input as { type: string; encrypted_content?: string }[])[1]).toMatchObject({
      type: 'reasoning',
      encrypted_content: expect.any(String),
    })
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, receipts: 2 })
  })

  it('refuse what cannot be carried, by its name', async () => {
    const { owner, key } = await makeChatter(1_000)
    for (const [field, value] of Object.entries({ n: 2, stop: ['x'], logit_bias: { 1: 1 } })) {
      const { status, body } = await chat(key.key, {}, { [field]: value })
      expect(status).toBe(400)
      expect(body.error).toMatchObject({ code: 'invalid_request', param: field })
    }
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, held: 0, receipts: 0 })
  })
})
