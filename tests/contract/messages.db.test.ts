import { describe, expect, it } from 'vitest'
import { send, withSandbox } from '../support/api'
import { CHAT_MODEL, chargeIn, creditsAtChatModel, makeChatter, receiptOf, sandboxUpstream } from '../support/chat'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import {
  builtContent,
  COUNT_PATH,
  MESSAGES_PATH,
  messageEvents,
  messagesBody,
  sendMessages,
  sendStreamedMessages,
} from '../support/messages'
import { modelOf, withWireModels } from '../support/wire-models'

withSandbox()
const WIRES = ['chat', 'responses', 'messages'] as const
withWireModels(WIRES)

const LONG = 'All work and no play makes for a dull afternoon. '.repeat(40).trim()
const PNG = 'iVBORw0KGgo='
const look = {
  name: 'look',
  description: 'Looks somewhere',
  input_schema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
}

type Usage = Record<
  'input_tokens' | 'output_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens',
  number
>
const tokensIn = ({ input_tokens, cache_read_input_tokens, cache_creation_input_tokens }: Usage) =>
  input_tokens + cache_read_input_tokens + cache_creation_input_tokens
const creditsOf = (usage: unknown) => creditsAtChatModel(tokensIn(usage as Usage), (usage as Usage).output_tokens)

describe.each(WIRES)('200 over an upstream of the %s wire', (wire) => {
  const model = modelOf(wire)
  it('answers with a message, billed by its tokens', async () => {
    const { owner, key } = await makeChatter()
    const answer = await sendMessages(key.key, messagesBody(model, { text: LONG }))
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text: LONG }],
      stop_reason: 'end_turn',
      stop_sequence: null,
    })
    expect(answer.body.id).toMatch(/^msg_/)
    const credits = creditsOf(answer.body.usage)
    expect(credits).toBeGreaterThan(10)
    expect(answer.body.service).toEqual({ credits_charged: credits })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: credits, held: 0, receipts: 1 })
    expect(answer.headers.get('request-id')).toBe(answer.headers.get('x-request-id'))
    expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('9999')
    const receipt = await receiptOf(key.key, answer)
    expect(receipt).toMatchObject({ channel: 'messages', product: 'chat', what: model, status: 'ok' })
    expect((receipt.credits as { held: number }).held).toBeGreaterThanOrEqual(credits)
  })

  it('streams the same message, with the charge on message_stop alone', async () => {
    const { owner, key } = await makeChatter()
    const script = {
      text: LONG,
      reasoning: 'Let me see.',
      toolCalls: [{ name: 'look' }, { name: 'look', arguments: { at: 'sea' } }],
    }
    const body = messagesBody(model, script, { tools: [look] })
    const streamed = await sendStreamedMessages(key.key, body)
    expect(streamed.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const events = messageEvents(streamed)
    const order = events.map(({ type }) => type).filter((type) => type !== 'content_block_delta' && type !== 'ping')
    const blocks = builtContent(streamed)
    expect(order).toEqual([
      'message_start',
      ...blocks.flatMap(() => ['content_block_start', 'content_block_stop']),
      'message_delta',
      'message_stop',
    ])
    expect(blocks.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use', 'tool_use'])
    expect(blocks).toMatchObject([
      { thinking: 'Let me see.' },
      { text: LONG },
      { input: { at: 'sandbox' } },
      { input: { at: 'sea' } },
    ])
    expect(events[0]).toMatchObject({ message: { model, role: 'assistant', content: [] } })
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } })
    const charged = chargeIn(streamed)
    expect(events.at(-1)).toEqual({ type: 'message_stop', service: { credits_charged: charged } })
    expect(charged).toBe(creditsOf(events.at(-2)?.usage))
    expect(await readOwnerMoney(owner)).toMatchObject({ charged, held: 0, receipts: 1 })
    const whole = await sendMessages(key.key, body)
    expect((whole.body.content as object[]).map((block) => ({ ...block, id: '' }))).toEqual(
      blocks.map((block) => ({ ...block, id: '' })).map((block) => block),
    )
  })

  it('takes tool results, images and thinking back', async () => {
    const { key } = await makeChatter()
    const turns = [{ reasoning: 'Look.', toolCalls: [{ name: 'look' }] }, { text: 'I found {{last}}.' }]
    const asked = messagesBody(model, { turns }, { tools: [look] })
    const first = await sendMessages(key.key, asked)
    const content = first.body.content as { type: string; id: string }[]
    const call = content.find(({ type }) => type === 'tool_use')
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }
    const result = { type: 'tool_result', tool_use_id: call?.id, content: [{ type: 'text', text: 'a shell' }] }
    const messages = [
      ...(asked.messages as object[]),
      { role: 'assistant', content },
      { role: 'user', content: [result] },
    ]
    const second = await sendMessages(key.key, { ...asked, messages })
    expect(second.body.content).toEqual([{ type: 'text', text: 'I found a shell.' }])
    const shown = [{ role: 'user', content: [image, { type: 'text', text: 'What is it?' }] }]
    const seen = await sendMessages(key.key, { ...asked, messages: shown })
    expect(JSON.stringify(seen.body.content)).toContain('I see 1 image')
  })

  it('answers in a schema', async () => {
    const { key } = await makeChatter()
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const { body } = await sendMessages(key.key, {
      model,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Where?' }],
      output_config: { format: { type: 'json_schema', schema } },
    })
    const [block] = body.content as { text: string }[]
    expect(JSON.parse(block?.text ?? '')).toEqual({ city: expect.any(String) })
  })

  it.each([
    [{ text: 'one two three four '.repeat(20) }, { max_tokens: 16 }, 'max_tokens'],
    [{ text: 'one', finishReason: 'content_filter' }, {}, 'refusal'],
    [{}, { tools: [look], tool_choice: { type: 'any' } }, 'tool_use'],
    [{}, { tools: [look], tool_choice: { type: 'tool', name: 'look' } }, 'tool_use'],
    [{ text: 'x' }, { tools: [look], tool_choice: { type: 'none' } }, 'end_turn'],
  ])('says why it stopped: %j %j', async (script, more, reason) => {
    const { key } = await makeChatter()
    const { body } = await sendMessages(key.key, messagesBody(model, script, more))
    expect(body.stop_reason).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason))
  })

  it('bills an estimate where the upstream reports no usage, and writes it', async () => {
    const { owner, key } = await makeChatter()
    const streamed = await sendStreamedMessages(key.key, messagesBody(model, { text: LONG, usage: 'none' }))
    const usage = messageEvents(streamed).at(-2)?.usage as Usage
    expect(usage.output_tokens).toBeGreaterThan(300)
    expect(chargeIn(streamed)).toBe(creditsOf(usage))
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: chargeIn(streamed), held: 0 })
  })
})

describe('cached tokens', () => {
  const native = { input_tokens: 10, cache_read_input_tokens: 60, cache_creation_input_tokens: 5, output_tokens: 2 }
  const chat = {
    prompt_tokens: 75,
    completion_tokens: 2,
    total_tokens: 77,
    prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 5 },
  }
  it.each([
    ['messages', native],
    ['chat', chat],
  ] as const)('of an upstream of the %s wire stand beside input_tokens, and on the receipt', async (wire, usage) => {
    const { key } = await makeChatter()
    const body = messagesBody(modelOf(wire), { text: 'ok', usage })
    const whole = await sendMessages(key.key, body)
    expect(whole.body.usage).toMatchObject(native)
    const streamed = await sendStreamedMessages(key.key, body)
    expect(messageEvents(streamed).at(-2)).toMatchObject({ usage: native })
    for (const answer of [whole, streamed])
      expect(await receiptOf(key.key, answer)).toMatchObject({
        detail: { inputTokens: 75, cachedInputTokens: 60, cacheWriteTokens: 5, outputTokens: 2, estimated: false },
      })
  })
})

describe('what an upstream of this wire gets', () => {
  it('is every field of the request, and the headers of the API', async () => {
    const { key } = await makeChatter()
    const body = messagesBody(
      modelOf('messages'),
      { text: 'ok' },
      {
        system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
        thinking: { type: 'adaptive' },
        output_config: { effort: 'low' },
        context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
        metadata: { user_id: 'someone' },
        tools: [look, { type: 'bash_20250124', name: 'bash' }],
        top_k: 3,
        x_unknown: { deep: [1] },
      },
    )
    const headers = { 'anthropic-beta': 'one,two', 'anthropic-version': '2023-06-01', 'x-other': 'kept here' }
    const answer = await sendMessages(key.key, { ...body, service_tier: 'auto', speed: 'fast' }, headers)
    expect(answer.status).toBe(200)
    const last = await sandboxUpstream.last()
    expect(last.body).toEqual({ ...body, model: 'gale-4' })
    expect(last.headers).toMatchObject({ 'anthropic-beta': 'one,two', 'anthropic-version': '2023-06-01' })
    expect(last.headers).not.toHaveProperty('x-other')
    expect(JSON.stringify(last.headers)).not.toContain(key.key)
  })
})

describe('count_tokens', () => {
  it('counts as a call would reserve, free, within the rate', async () => {
    const { owner, key } = await makeChatter(1_000)
    const { max_tokens: _limit, ...body } = messagesBody(CHAT_MODEL, {}, { system: LONG, tools: [look] })
    const answer = await send(COUNT_PATH, { key: key.key, body })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ input_tokens: expect.any(Number), estimated: true })
    expect(answer.body.input_tokens).toBeGreaterThan(400)
    expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('9999')
    await expectUntouched(owner)
  })

  it('asks a provider that counts itself, and says when none does', async () => {
    const { owner, key } = await makeChatter(1_000)
    const { max_tokens: _limit, ...body } = messagesBody(modelOf('messages'), {}, { system: LONG, tools: [look] })
    const count = async (more: object) => (await send(COUNT_PATH, { key: key.key, body: { ...body, ...more } })).body
    const native = await (
      await fetch(`${process.env.SANDBOX_URL}/llm/v1/messages/count_tokens`, {
        method: 'POST',
        body: JSON.stringify({ ...body, model: 'gale-4' }),
      })
    ).json()
    expect(await count({ stream: false, temperature: 0.5 })).toEqual({ ...native, estimated: false })
    expect(await count({ model: CHAT_MODEL })).toMatchObject({ estimated: true })
    await expectUntouched(owner)
  })
})

describe(MESSAGES_PATH, () => {
  it('takes x-api-key', async () => {
    const { key } = await makeChatter()
    const headers = { 'x-api-key': key.key }
    expect(await send(MESSAGES_PATH, { headers, body: messagesBody(CHAT_MODEL) })).toMatchObject({ status: 200 })
  })
})
