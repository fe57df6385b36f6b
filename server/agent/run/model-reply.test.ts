import { describe, expect, it } from 'vitest'
import { type ModelDelta, makeReplyFold } from './model-reply'

type Fields = Record<string, unknown>

/** A reply of these deltas; the last one ends it. */
function folded(...deltas: Fields[]) {
  const received: ModelDelta[] = []
  const fold = makeReplyFold((delta) => received.push(delta))
  for (const [i, delta] of deltas.entries()) {
    const finish_reason = i === deltas.length - 1 ? 'stop' : null
    fold.add({ choices: [{ index: 0, delta, finish_reason }] })
  }
  fold.add({ choices: [], usage: {} })
  return { ...fold.end(), received }
}

const call = (index: number | undefined, fields: Fields) => ({
  tool_calls: [{ ...(index !== undefined && { index }), ...fields }],
})
const named = (name: string, args = '') => ({ type: 'function', function: { name, arguments: args } })

describe('a streamed reply', () => {
  it('is one message, without what says nothing', () => {
    const { message, finishReason } = folded(
      { role: 'assistant', content: '', refusal: null, annotations: [] },
      { content: 'To' },
      { content: 'll' },
      {},
    )
    expect(message).toEqual({ role: 'assistant', content: 'Toll' })
    expect(finishReason).toBe('stop')
  })

  it('keeps reasoning in the field in which it came, and fields that nobody knows', () => {
    const { message } = folded(
      { reasoning_content: 'Let me' },
      { reasoning_content: ' see.', theirs: { cursor: 1 } },
      { content: 'Yes.', theirs: { seal: 'x' } },
    )
    expect(message).toEqual({
      role: 'assistant',
      content: 'Yes.',
      reasoning_content: 'Let me see.',
      theirs: { cursor: 1, seal: 'x' },
    })
  })

  it('joins reasoning details by index and type, and never what is encrypted', () => {
    const detail = (fields: Fields) => ({ reasoning_details: [{ format: 'f', index: 0, ...fields }] })
    const { message } = folded(
      detail({ type: 'reasoning.text', text: 'a' }),
      detail({ type: 'reasoning.text', text: 'b' }),
      detail({ type: 'reasoning.text', signature: 'sig' }),
      detail({ type: 'reasoning.encrypted', data: 'one', id: 'c1' }),
      detail({ type: 'reasoning.encrypted', data: 'two', id: 'c2' }),
      detail({ type: 'reasoning.text', text: 'c', index: 1 }),
    )
    expect(message.reasoning_details).toEqual([
      { type: 'reasoning.text', text: 'ab', signature: 'sig', format: 'f', index: 0 },
      { type: 'reasoning.encrypted', data: 'one', id: 'c1', format: 'f', index: 0 },
      { type: 'reasoning.encrypted', data: 'two', id: 'c2', format: 'f', index: 0 },
      { type: 'reasoning.text', text: 'c', format: 'f', index: 1 },
    ])
  })

  it('joins parts of content, thoughts among them', () => {
    const thinking = (text: string) => ({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] })
    const { message } = folded(thinking('Hm'), thinking('m.'), { content: 'So' }, { content: ' be it.' })
    expect(message.content).toEqual([
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hmm.' }] },
      { type: 'text', text: 'So be it.' },
    ])
  })

  it('reports every piece as it comes', () => {
    const { received } = folded(
      { reasoning: 'Hm', reasoning_content: 'Hm' },
      { content: 'A' },
      call(0, { id: 'a', ...named('f') }),
      call(0, { function: { arguments: '{"x":1}' } }),
    )
    expect(received).toEqual([
      { kind: 'reasoning', text: 'Hm' },
      { kind: 'text', text: 'A' },
      { kind: 'tool_call', text: '', name: 'f' },
      { kind: 'tool_call', text: '{"x":1}', name: 'f' },
    ])
  })
})

describe('streamed calls', () => {
  const f = { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }
  const g = { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } }

  it('are joined by index, with a signature beside them', () => {
    const { message } = folded(
      call(0, { id: 'a', ...named('f'), extra_content: { google: { thought_signature: 's' } } }),
      call(1, { id: 'b', ...named('g') }),
      call(0, { function: { arguments: '{"x"' } }),
      call(1, { function: { arguments: '{}' } }),
      call(0, { function: { arguments: ':1}' } }),
    )
    expect(message).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [{ ...f, extra_content: { google: { thought_signature: 's' } } }, g],
    })
  })

  it('all with the number 0 are told apart by their ids', () => {
    const { message } = folded(
      call(0, { id: 'a', ...named('f', '{"x":1}') }),
      call(0, { id: 'b', ...named('g', '{}') }),
    )
    expect(message.tool_calls).toEqual([f, g])
  })

  it('without numbers are told apart by ids, and without ids by names', () => {
    const { message } = folded(
      call(undefined, { id: 'a', ...named('f', '{"x"') }),
      call(undefined, { function: { arguments: ':1}' } }),
      call(undefined, { id: 'b', ...named('g', '{}') }),
      call(undefined, named('h', '{}')),
    )
    expect(message.tool_calls).toEqual([f, g, named('h', '{}')])
  })

  it('that repeat id and name with every piece are one call', () => {
    const { message } = folded(call(0, { id: 'a', ...named('f', '{"x"') }), call(0, { id: 'a', ...named('f', ':1}') }))
    expect(message.tool_calls).toEqual([f])
  })

  it('without a name are left out: nobody could answer them', () => {
    const { message } = folded(call(0, { id: 'a', function: { arguments: '{}' } }))
    expect(message).not.toHaveProperty('tool_calls')
  })
})

it('a whole answer is folded like a stream', () => {
  const fold = makeReplyFold()
  const message = {
    role: 'assistant',
    content: 'A',
    refusal: null,
    reasoning: 'hm',
    tool_calls: [named('f', '{}'), named('f', '{}')],
  }
  fold.add({ choices: [{ message, finish_reason: 'tool_calls' }] })
  const { refusal: _null, ...kept } = message
  expect(fold.end()).toEqual({ message: kept, finishReason: 'tool_calls' })
})
