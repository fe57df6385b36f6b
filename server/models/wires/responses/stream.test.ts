import { describe, expect, test } from 'vitest'
import { AppError } from '../../../errors'
import type { CompletionBill } from '../../bill'
import { readChatFacts } from '../chat/upstream'
import type { BilledEvent, StreamPiece } from '../wire'
import { makeResponsesFactsReader } from './facts'
import { reasoningToChat } from './reasoning'
import { NOT_KEPT } from './response'
import { openResponsesStream } from './stream'

const id = '0199aa00-0000-7000-8000-000000000001'
/** What of a provider's response is ours. */
const OURS = { ...NOT_KEPT, id: 'resp_0199aa00000070008000000000000001', model: 'ours' }
const bill = { estimated: false, usage: { inputTokens: 3, outputTokens: 2, cachedInputTokens: 1 } } as CompletionBill
const end: BilledEvent = { kind: 'end', bill, charged: 7 }

const chat = (delta: object, finish_reason: string | null = null): BilledEvent => {
  const chunk = { model: 'theirs', choices: [{ index: 0, delta, finish_reason }] }
  return { kind: 'chunk', wire: 'chat', chunk, facts: readChatFacts(chunk) }
}
const native = (chunk: Record<string, unknown>): BilledEvent => ({
  kind: 'chunk',
  wire: 'responses',
  chunk,
  facts: makeResponsesFactsReader()(chunk),
})

type Written = Record<string, unknown> & { type: string; sequence_number: number }

function written(events: BilledEvent[], body: object = {}) {
  const pieces: StreamPiece[] = events.flatMap(
    openResponsesStream({ id, model: 'ours', body: { ...body }, state: NOT_KEPT }),
  )
  const sent = pieces.map(({ chunk }) => chunk as Written)
  expect(sent.map(({ sequence_number }) => sequence_number)).toEqual(sent.map((_, i) => i))
  expect(pieces.map(({ event }) => event)).toEqual(sent.map(({ type }) => type))
  expect(pieces.filter((piece) => piece.charged !== undefined)).toEqual(pieces.slice(-1))
  const last = sent.at(-1)?.response as Record<string, unknown> & { output: Record<string, unknown>[] }
  return { pieces, sent, last }
}

const call = (index: number, more: object) => ({ tool_calls: [{ index, ...more }] })

describe('written from chunks of chat form', () => {
  test('calls whose pieces are mixed come out whole, each at its own place', () => {
    const { last, sent } = written([
      chat(call(0, { id: 'a', function: { name: 'f', arguments: '{"x"' } })),
      chat(call(1, { id: 'b', function: { name: 'g', arguments: '' } })),
      chat(call(0, { function: { arguments: ':1}' } })),
      chat({}, 'tool_calls'),
      end,
    ])
    expect(last.output).toMatchObject([
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"x":1}' },
      { type: 'function_call', call_id: 'b', name: 'g', arguments: '{}' },
    ])
    for (const place of [0, 1]) {
      const deltas = sent.filter(({ type, output_index }) => /arguments\.delta$/.test(type) && output_index === place)
      expect(deltas.map(({ delta }) => delta).join('')).toBe(last.output[place]?.arguments)
    }
  })

  test('a call waits for its name, and gets an id where it has none', () => {
    const { last } = written([
      chat(call(0, { function: { arguments: '{"a"' } })),
      chat(call(0, { function: { name: 'f', arguments: ':1}' } })),
      end,
    ])
    expect(last.output).toMatchObject([{ name: 'f', arguments: '{"a":1}', call_id: expect.stringMatching(/^call_/) }])
  })

  test('text after a call, and thoughts after a text, are items of their own', () => {
    const { last } = written([
      chat({ reasoning: 'a' }),
      chat({ content: 'b' }),
      chat({ reasoning: 'c' }),
      chat({ content: 'd' }),
      chat(call(0, { id: 'x', function: { name: 'f', arguments: '{}' } })),
      chat({ content: 'e' }),
      chat({ refusal: 'No.' }),
      end,
    ])
    expect(last.output.map(({ type }) => type)).toEqual([
      'reasoning',
      'message',
      'reasoning',
      'message',
      'function_call',
      'message',
    ])
    expect(last.output[5]?.content).toMatchObject([
      { type: 'output_text', text: 'e' },
      { type: 'refusal', refusal: 'No.' },
    ])
  })

  test('signed thoughts come back as they came, in pieces or whole', () => {
    const detail = (more: object) => ({ reasoning_details: [{ type: 'reasoning.text', index: 0, ...more }] })
    const { last } = written([
      chat({ reasoning: 'a', ...detail({ text: 'a' }) }),
      chat({ reasoning: 'b', ...detail({ text: 'b' }) }),
      chat(detail({ signature: 'sig' })),
      chat({ content: 'x' }, 'stop'),
      end,
    ])
    expect(last.output[0]).toMatchObject({ type: 'reasoning', summary: [{ text: 'ab' }] })
    expect(reasoningToChat(last.output[0] ?? {})).toEqual({
      reasoning: 'ab',
      reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'ab', signature: 'sig' }],
    })
  })

  test('the response repeats what was asked for, and says what was used', () => {
    const tools = [{ type: 'function', name: 'f' }]
    const asked = { instructions: 'Be brief.', tools, reasoning: { effort: 'low' }, text: { verbosity: 'low' } }
    const { last } = written([chat({ content: 'x' }, 'stop'), end], asked)
    expect(last).toMatchObject({
      id: 'resp_0199aa00000070008000000000000001',
      model: 'ours',
      status: 'completed',
      instructions: 'Be brief.',
      tools,
      reasoning: { effort: 'low', summary: null },
      text: { format: { type: 'text' }, verbosity: 'low' },
      store: false,
      usage: { input_tokens: 3, input_tokens_details: { cached_tokens: 1 }, output_tokens: 2, total_tokens: 5 },
    })
  })

  test.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])('%s leaves the response and its last item incomplete', (finish, reason) => {
    const { last, sent } = written([chat({ content: 'x' }, finish), end])
    expect(sent.at(-1)?.type).toBe('response.incomplete')
    expect(last).toMatchObject({ incomplete_details: { reason }, output: [{ status: 'incomplete' }] })
  })

  test('an error before anything came is the end of a whole stream', () => {
    const error = new AppError('upstream_error', 'It failed.')
    const { pieces, last } = written([{ kind: 'error', error, charged: 0 }])
    expect(pieces.map(({ event }) => event)).toEqual(['response.created', 'response.in_progress', 'response.failed'])
    expect(pieces.at(-1)).toMatchObject({ kind: 'error', charged: 0, error })
    expect(last).toMatchObject({ status: 'failed', error: { code: 'upstream_error', message: 'It failed.' } })
  })
})

describe('passed on from an upstream of this wire', () => {
  const response = { id: 'resp_theirs', object: 'response', model: 'theirs', store: true, output: [] }

  test('events keep their fields, but for model, storage, padding and a charge that is not theirs', () => {
    const delta = { item_id: 'm', output_index: 0, content_index: 0, delta: 'x', obfuscation: 'zzz', x_more: 1 }
    const { sent, last } = written([
      native({ type: 'response.created', sequence_number: 5, response }),
      native({ type: 'response.output_text.delta', sequence_number: 9, ...delta }),
      native({ type: 'response.completed', response: { ...response, service: { credits_charged: 0 } }, service: {} }),
      native({ type: 'response.output_text.delta', ...delta }),
      end,
    ])
    const { obfuscation: _padding, ...kept } = delta
    expect(sent).toEqual([
      { type: 'response.created', sequence_number: 0, response: { ...response, ...OURS } },
      { type: 'response.output_text.delta', sequence_number: 1, ...kept },
      { type: 'response.completed', sequence_number: 2, response: last },
    ])
    expect(last).toEqual({ ...response, ...OURS })
  })

  test('usage that was counted here replaces theirs', () => {
    const { last } = written([
      native({ type: 'response.completed', response: { ...response, usage: { input_tokens: -1 } } }),
      { ...end, bill: { ...bill, estimated: true } } as BilledEvent,
    ])
    expect(last.usage).toMatchObject({ input_tokens: 3, output_tokens: 2 })
  })

  test('an end without a last event is a failure, and an error keeps the items that were done', () => {
    const done = native({ type: 'response.output_item.done', output_index: 0, item: { id: 'm', type: 'message' } })
    const error = new AppError('upstream_error', 'It failed.')
    for (const last of [end, { kind: 'error', error, charged: 3 } as BilledEvent]) {
      const { sent, last: failed } = written([native({ type: 'response.created', response }), done, last])
      expect(sent.at(-1)?.type).toBe('response.failed')
      expect(failed).toMatchObject({ id: OURS.id, status: 'failed', output: [{ id: 'm' }] })
    }
  })
})
