import { describe, expect, it } from 'vitest'
import { AppError } from '../../../errors'
import type { UnknownRecord } from '../../../kit/record'
import type { CompletionBill } from '../../bill'
import type { TokenUsage, WireName } from '../../completion'
import type { BilledEvent, StreamPiece } from '../wire'
import { writeMessage } from './answer'
import { makeMessagesFactsReader } from './facts'
import { thinkingToChat } from './reasoning'
import { openMessagesStream } from './stream'

const bill = (usage: TokenUsage = { inputTokens: 30, outputTokens: 2 }, estimated = false) =>
  ({ estimated, usage }) as CompletionBill
const end = (usage?: TokenUsage, estimated?: boolean): BilledEvent => ({
  kind: 'end',
  bill: bill(usage, estimated),
  charged: 7,
})
const facts = { usage: null, texts: [], endedChoices: [], isEmpty: false }
const chunkIn = (wire: WireName, chunk: UnknownRecord): BilledEvent => ({ kind: 'chunk', wire, chunk, facts })
const says = (delta: object, finish_reason: string | null = null, more: object = {}) =>
  chunkIn('chat', { id: 'chatcmpl-1', model: 'theirs', choices: [{ index: 0, delta, finish_reason, ...more }] })
const calls = (...tool_calls: object[]) => says({ tool_calls })

const written = (...events: BilledEvent[]): StreamPiece[] =>
  events.flatMap(openMessagesStream({ id: 'id', model: 'ours', stopSequences: ['END'] }))

/** Events in short: their type, or what a block or delta is of. */
const short = (pieces: StreamPiece[]) =>
  pieces.map((piece) => {
    const { index, content_block: block, delta } = (piece.chunk ?? {}) as Record<string, UnknownRecord>
    if (block) return `${index} ${block.type}`
    if (delta?.type) return `${index} ${delta.text ?? delta.thinking ?? delta.partial_json ?? delta.type}`
    return piece.event
  })

/** What a client builds from events. */
function builtFrom(pieces: StreamPiece[]): UnknownRecord[] {
  const blocks: Record<string, string | object>[] = []
  for (const { chunk = {} } of pieces) {
    const { content_block: block, delta } = chunk as Record<string, Record<string, string>>
    const open = blocks.at(-1)
    if (block) blocks.push({ ...block, json: '' })
    if (delta?.type === undefined || !open) continue
    if (delta.type === 'text_delta') open.text += delta.text ?? ''
    else if (delta.type === 'thinking_delta') open.thinking += delta.thinking ?? ''
    else if (delta.type === 'signature_delta') open.signature = delta.signature ?? ''
    else open.json += delta.partial_json ?? ''
  }
  return blocks.map(({ json, ...block }) =>
    block.type === 'tool_use' ? { ...block, input: JSON.parse(String(json)) } : block,
  )
}

describe('a stream made from chat chunks', () => {
  it('has every event in order, and the charge on message_stop', () => {
    const pieces = written(
      says({ role: 'assistant', content: '' }),
      says({ reasoning: 'hm' }),
      says({ content: 'a' }),
      says({ content: 'b' }),
      calls({ index: 0, id: 'x', function: { name: 'look', arguments: '' } }),
      calls({ index: 0, function: { arguments: '{}' } }),
      says({}, 'tool_calls'),
      end({ inputTokens: 30, outputTokens: 2, cachedInputTokens: 20, cacheWriteTokens: 4, reasoningTokens: 1 }),
    )
    expect(short(pieces)).toEqual([
      'message_start',
      'ping',
      '0 thinking',
      '0 hm',
      '0 signature_delta',
      'content_block_stop',
      '1 text',
      '1 a',
      '1 b',
      'content_block_stop',
      '2 tool_use',
      '2 {}',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    expect(pieces.every(({ chunk, event }) => chunk?.type === event)).toBe(true)
    expect(pieces.filter(({ charged }) => charged !== undefined)).toEqual([
      { kind: 'chunk', event: 'message_stop', chunk: { type: 'message_stop' }, charged: 7 },
    ])
    expect(pieces[0]?.chunk).toMatchObject({ message: { id: 'msg_1', role: 'assistant', model: 'ours', content: [] } })
    expect(pieces.at(-2)?.chunk).toEqual({
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: {
        input_tokens: 6,
        cache_read_input_tokens: 20,
        cache_creation_input_tokens: 4,
        output_tokens: 2,
        output_tokens_details: { thinking_tokens: 1 },
      },
    })
  })

  it('shows a thought once that comes as text and then with its details', () => {
    const of = (more: object) => ({ id: 'rs_1', format: 'openai-responses-v1', ...more })
    const details = [
      of({ type: 'reasoning.summary', summary: 'hm', index: 0 }),
      of({ type: 'reasoning.encrypted', data: 'abc', index: 1 }),
    ]
    const pieces = written(
      says({ reasoning: 'h' }),
      says({ reasoning: 'm' }),
      says({ reasoning_details: details }),
      end(),
    )
    const blocks = builtFrom(pieces)
    expect(blocks).toMatchObject([{ type: 'thinking', thinking: 'hm' }])
    expect(thinkingToChat(blocks)).toEqual({ reasoning_details: details })
  })

  it('keeps calls apart that come in turns', () => {
    const pieces = written(
      calls({ index: 0, id: 'x', function: { name: 'one', arguments: '{"a"' } }),
      calls(
        { index: 1, id: 'y', function: { name: 'two', arguments: '{"b"' } },
        { index: 0, function: { arguments: ':1' } },
      ),
      says({ content: 'between' }),
      calls({ index: 1, function: { arguments: ':2}' } }, { index: 0, function: { arguments: '}' } }),
      says({}, 'stop'),
      end(),
    )
    expect(builtFrom(pieces)).toEqual([
      { type: 'tool_use', id: 'x', name: 'one', input: { a: 1 } },
      { type: 'tool_use', id: 'y', name: 'two', input: { b: 2 } },
      { type: 'text', text: 'between' },
    ])
    expect(pieces.at(-2)?.chunk).toMatchObject({ delta: { stop_reason: 'tool_use' } })
  })

  it.each([
    ['stop', {}, { stop_reason: 'end_turn', stop_sequence: null }],
    ['length', {}, { stop_reason: 'max_tokens', stop_sequence: null }],
    ['content_filter', {}, { stop_reason: 'refusal', stop_sequence: null }],
    ['stop', { stop_reason: 'END' }, { stop_reason: 'stop_sequence', stop_sequence: 'END' }],
    ['stop', { stop_reason: 151643 }, { stop_reason: 'end_turn', stop_sequence: null }],
  ])('ends by %s %j', (finish, more, delta) => {
    expect(written(says({ content: 'a' }, finish, more), end()).at(-2)?.chunk).toMatchObject({ delta })
  })

  it('is a message also where the upstream sent nothing', () => {
    expect(short(written(end()))).toEqual(['message_start', 'ping', 'message_delta', 'message_stop'])
  })

  it('ends with an error', () => {
    const error = new AppError('upstream_error', 'It failed.')
    const pieces = written(says({ content: 'a' }), { kind: 'error', error, charged: 2 })
    expect(pieces.at(-1)).toMatchObject({ kind: 'error', event: 'error', charged: 2 })
    expect(pieces.filter(({ charged }) => charged !== undefined)).toHaveLength(1)
  })
})

describe('a stream of an upstream of this wire', () => {
  const native = (chunk: UnknownRecord) => chunkIn('messages', chunk)
  const message = { id: 'msg_9', model: 'theirs', usage: { input_tokens: 3 }, content: [], extra: 1 }
  const last = {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', other: 2 },
    usage: { output_tokens: 2, kept: 3 },
  }

  it('passes with every field, under our model id', () => {
    const start = { type: 'content_block_start', index: 0, content_block: { type: 'new_kind', x: 1 } }
    const pieces = written(
      native({ type: 'message_start', message }),
      native(start),
      native(last),
      native({ type: 'ping', service: { credits_charged: 0 } }),
      end(),
    )
    expect(pieces.map(({ chunk }) => chunk)).toEqual([
      { type: 'message_start', message: { ...message, model: 'ours' } },
      start,
      last,
      { type: 'ping' },
      { type: 'message_stop' },
    ])
    expect(pieces.map(({ charged }) => charged)).toEqual([undefined, undefined, undefined, undefined, 7])
  })

  it('has the usage that was counted where none came', () => {
    const pieces = written(native({ ...last, usage: undefined }), end({ inputTokens: 8, outputTokens: 5 }, true))
    expect(pieces[0]?.chunk).toMatchObject({ usage: { input_tokens: 8, output_tokens: 5 } })
  })

  it('ends where the upstream did not end it', () => {
    const pieces = written(native({ type: 'message_start', message }), end())
    expect(short(pieces)).toEqual(['message_start', 'message_delta', 'message_stop'])
  })

  it('sends what waited before an error', () => {
    const error = new AppError('upstream_error', 'It failed.')
    const pieces = written(native(last), { kind: 'error', error, charged: 2 })
    expect(short(pieces)).toEqual(['message_delta', 'error'])
  })
})

describe('a whole answer', () => {
  const asked = { id: 'id', model: 'ours', stopSequences: null }
  const chat = (message: object, finish_reason = 'stop') => ({
    id: 'gen-7',
    model: 'theirs',
    choices: [{ message, finish_reason }],
  })

  it('made from chat form is what its stream would build', () => {
    const message = {
      content: 'a',
      reasoning: 'hm',
      reasoning_details: [
        { type: 'reasoning.text', text: 'hm', signature: 'sig', format: 'anthropic-claude-v1', index: 0 },
      ],
      tool_calls: [
        { id: 'x', function: { name: 'one', arguments: '{"a":1}' } },
        { id: 'y', function: { name: 'two', arguments: '{"b":2}' } },
      ],
    }
    const whole = writeMessage({ wire: 'chat', body: chat(message, 'tool_calls') }, bill(), asked)
    expect(whole).toMatchObject({
      id: 'msg_7',
      type: 'message',
      role: 'assistant',
      model: 'ours',
      stop_reason: 'tool_use',
      usage: { input_tokens: 30, output_tokens: 2 },
    })
    expect(whole.content).toEqual(builtFrom(written(says(message, 'tool_calls'), end())))
    expect(whole.content).toMatchObject([
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'text', text: 'a' },
      { id: 'x', input: { a: 1 } },
      { id: 'y', input: { b: 2 } },
    ])
  })

  it('keeps arguments that are not JSON readable', () => {
    const message = { content: null, tool_calls: [{ id: 'x', function: { name: 'one', arguments: '{"a' } }] }
    const { content } = writeMessage({ wire: 'chat', body: chat(message) }, bill(), asked)
    expect(content).toEqual([{ type: 'tool_use', id: 'x', name: 'one', input: { INVALID_JSON: '{"a' } }])
  })

  it('of an upstream of this wire passes as it came, under our model id', () => {
    const body = {
      type: 'message',
      id: 'msg_1',
      model: 'theirs',
      content: [{ type: 'new_kind' }],
      usage: { kept: 1 },
      more: 2,
    }
    expect(writeMessage({ wire: 'messages', body }, bill(), asked)).toEqual({ ...body, model: 'ours' })
    const counted = writeMessage({ wire: 'messages', body }, bill(undefined, true), asked)
    expect(counted.usage).toMatchObject({ input_tokens: 30, output_tokens: 2 })
  })
})

describe('the facts of a stream', () => {
  it('are its texts, and its usage once the answer ends', () => {
    const read = makeMessagesFactsReader()
    const usage = { input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 1 }
    expect(read({ type: 'message_start', message: { usage } })).toMatchObject({ usage: null, isEmpty: true })
    const call = { type: 'tool_use', name: 'look', input: {} }
    expect(read({ type: 'content_block_start', index: 0, content_block: call }).texts).toEqual([
      { lane: '0 name', text: 'look' },
    ])
    const delta = (given: object) => read({ type: 'content_block_delta', index: 0, delta: given }).texts
    expect(delta({ type: 'input_json_delta', partial_json: '{}' })).toEqual([{ lane: '0 json', text: '{}' }])
    expect(delta({ type: 'signature_delta', signature: 'x' })).toEqual([])
    const ended = { type: 'message_delta', delta: { stop_reason: 'end_turn' } }
    expect(read(ended)).toMatchObject({ usage: null, endedChoices: [0] })
    expect(read({ ...ended, usage: { output_tokens: 9, input_tokens: null } }).usage).toEqual({
      inputTokens: 7,
      outputTokens: 9,
      cachedInputTokens: 4,
    })
  })
})
