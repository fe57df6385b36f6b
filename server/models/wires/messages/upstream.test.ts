import { describe, expect, it, test } from 'vitest'
import type { UnknownRecord } from '../../../kit/record'
import type { Upstream } from '../../shape'
import { hasMessageOutput } from './facts'
import { thinkingToChat } from './reasoning'
import { messagesUpstream } from './upstream'
import { readMessagesUsage, writeMessagesUsage } from './usage'

const upstream = { api: 'messages', baseUrl: '', apiKeyEnv: null, model: 'theirs' } satisfies Upstream
const bodyOf = (body: UnknownRecord, more: object = {}) =>
  messagesUpstream.requestBody(body, { upstream, isStream: false, abilities: {}, ...more })
const thinking = { type: 'thinking', thinking: 'hm', signature: 'sig' }
const redacted = { type: 'redacted_thinking', data: 'xyz' }
const text = { type: 'text', text: 'a' }

describe('a request to the upstream', () => {
  it('has its model, a limit, and what the caller sent', () => {
    expect(bodyOf({ model: 'ours', messages: [], kept: 1 }, { outputTokens: 9, isStream: true })).toEqual({
      model: 'theirs',
      messages: [],
      kept: 1,
      max_tokens: 9,
      stream: true,
    })
    expect(bodyOf({ max_tokens: 4 }, { outputTokens: 9 })).toMatchObject({ max_tokens: 4 })
  })

  it('leaves out thinking that another provider did', () => {
    const foreign = { type: 'thinking', thinking: 'x', signature: 'tollgate.1.e30' }
    const messages = [
      { role: 'assistant', content: [thinking, foreign, { ...foreign, signature: '' }, redacted, text] },
    ]
    expect(bodyOf({ messages }).messages).toEqual([{ role: 'assistant', content: [thinking, redacted, text] }])
  })

  it('has the operator’s key, and the headers of callers of the same wire', () => {
    const headers = { 'anthropic-beta': 'b', 'anthropic-version': '2024-01-01' }
    expect(messagesUpstream.headers('key', { wire: 'messages', headers })).toEqual({ 'x-api-key': 'key', ...headers })
    expect(messagesUpstream.headers(undefined, { wire: 'chat', headers })).toEqual({
      'anthropic-version': '2023-06-01',
    })
  })
})

describe('an answer of the upstream', () => {
  const answer = {
    type: 'message',
    id: 'msg_1',
    model: 'theirs',
    content: [thinking, redacted, text, { type: 'tool_use', id: 'x', name: 'look', input: { at: 1 } }],
    stop_reason: 'tool_use',
    usage: { input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 5 },
  }
  const details = [
    { type: 'reasoning.text', text: 'hm', signature: 'sig', format: 'anthropic-claude-v1', index: 0 },
    { type: 'reasoning.encrypted', data: 'xyz', format: 'anthropic-claude-v1', index: 1 },
  ]

  it('in chat form comes back unchanged with the next request', () => {
    const completion = messagesUpstream.toChatAnswer(answer)
    const [{ message, finish_reason }] = completion.choices as [{ message: UnknownRecord; finish_reason: string }]
    expect(finish_reason).toBe('tool_calls')
    expect(completion.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 5 })
    expect(message).toMatchObject({ content: 'a', reasoning: 'hm', reasoning_details: details })
    const { messages } = messagesUpstream.fromChat({
      messages: [message, { role: 'tool', tool_call_id: 'x', content: 'y' }],
    })
    expect((messages as UnknownRecord[])[0]?.content).toEqual(answer.content)
  })

  it('streamed is the same in chat form', () => {
    const translate = messagesUpstream.makeChatTranslator()
    const block = (index: number, content_block: object, ...deltas: object[]) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]
    const { usage, content: _content, ...message } = answer
    const chunks = [
      { type: 'message_start', message: { ...message, usage: { ...usage, output_tokens: 1 } } },
      { type: 'ping' },
      ...block(0, { type: 'thinking', thinking: '', signature: '' }, { thinking: 'hm' }, { signature: 'sig' }),
      ...block(1, redacted),
      ...block(2, { type: 'text', text: '' }, { text: 'a' }),
      ...block(
        3,
        { type: 'tool_use', id: 'x', name: 'look', input: {} },
        { partial_json: '{"at"' },
        { partial_json: ':1}' },
      ),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
    ].flatMap(translate)
    const deltas = chunks.flatMap(({ choices }) => (choices as { delta: UnknownRecord }[]).map(({ delta }) => delta))
    expect(deltas).toEqual([
      { role: 'assistant', content: '' },
      {
        reasoning: 'hm',
        reasoning_details: [{ type: 'reasoning.text', text: 'hm', format: 'anthropic-claude-v1', index: 0 }],
      },
      { reasoning_details: [{ type: 'reasoning.text', signature: 'sig', format: 'anthropic-claude-v1', index: 0 }] },
      { reasoning_details: [details[1]] },
      { content: 'a' },
      { tool_calls: [{ index: 0, id: 'x', type: 'function', function: { name: 'look', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"at"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
      {},
    ])
    expect(chunks.at(-1)).toMatchObject({ id: 'msg_1', choices: [], usage: { prompt_tokens: 7, completion_tokens: 5 } })
  })

  test.each([
    [
      { type: 'error', error: { type: 'overloaded_error', message: 'Busy' } },
      { message: 'Busy', status: 529 },
    ],
    [
      { type: 'error', error: { type: 'invalid_request_error', message: 'No' } },
      { message: 'No', status: 400 },
    ],
    [{ type: 'message', content: [] }, null],
  ])('%j reports %j', (json, error) => {
    const read = messagesUpstream.readError(json)
    if (error === null) expect(read).toBeNull()
    else expect(read).toMatchObject(error)
  })

  it('ends with message_stop, not with a text about it', () => {
    expect(messagesUpstream.isEnd('{"type":"message_stop"}')).toBe(true)
    const written = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'message_stop' } }
    expect(messagesUpstream.isEnd(JSON.stringify(written))).toBe(false)
    expect(messagesUpstream.isEnd('message_stop')).toBe(false)
  })

  test.each([
    [{ type: 'message_start', message: {} }, false],
    [{ type: 'content_block_start', content_block: { type: 'text', text: '' } }, false],
    [{ type: 'content_block_start', content_block: { type: 'thinking', thinking: '', signature: '' } }, false],
    [{ type: 'content_block_start', content_block: { type: 'tool_use', name: 'x' } }, true],
    [{ type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'hm' } }, true],
    [{ type: 'content_block_delta', delta: { type: 'signature_delta', signature: 's' } }, false],
    [{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, true],
    [{ type: 'ping' }, false],
  ])('%j is output: %j', (chunk, expected) => expect(hasMessageOutput(chunk)).toBe(expected))
})

describe('usage', () => {
  it('counts cached tokens as part of the input, and writes them beside it', () => {
    const raw = { input_tokens: 3, cache_read_input_tokens: 4, cache_creation_input_tokens: 5, output_tokens: 6 }
    const usage = { inputTokens: 12, outputTokens: 6, cachedInputTokens: 4, cacheWriteTokens: 5 }
    expect(readMessagesUsage(raw)).toEqual(usage)
    expect(writeMessagesUsage(usage)).toEqual(raw)
  })

  test.each([
    null,
    {},
    { input_tokens: 3 },
    { input_tokens: '3', output_tokens: 4 },
    { input_tokens: -1, output_tokens: 4 },
    { input_tokens: 0, output_tokens: 0 },
    { input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 1.5 },
  ])('does not believe %j', (raw) => expect(readMessagesUsage(raw)).toBeNull())
})

describe('thinking of another provider', () => {
  const back = (blocks: UnknownRecord[]) => thinkingToChat(blocks)
  it('signed by its own provider becomes details, and of nobody is left out', () => {
    expect(back([thinking, redacted, { type: 'thinking', thinking: 'x', signature: '' }])).toEqual({
      reasoning_details: [
        { type: 'reasoning.text', text: 'hm', signature: 'sig', format: 'anthropic-claude-v1', index: 0 },
        { type: 'reasoning.encrypted', data: 'xyz', format: 'anthropic-claude-v1', index: 1 },
      ],
    })
    expect(back([{ type: 'thinking', thinking: 'x', signature: 'tollgate.1.broken' }])).toEqual({})
  })
})
