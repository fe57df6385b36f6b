import { describe, expect, it } from 'vitest'
import { finishReply } from './reply-finish'
import { joinReplies } from './unfinished-replies'

const call = (name: string, args: string) => ({ id: name, type: 'function', function: { name, arguments: args } })
const finish = (finishReason: string | null, message: Record<string, unknown>) => finishReply({ finishReason, message })

describe('how a reply ended', () => {
  it.each([
    ['stop', 'stop', { content: 'A' }],
    ['stop', null, { content: 'A' }],
    ['tool_calls', 'stop', { content: null, tool_calls: [call('f', '{}')] }],
    ['length', 'length', { content: 'A' }],
    ['length', 'max_tokens', { content: 'A' }],
    ['length', 'MAX_TOKENS', { content: 'A' }],
    ['content_filter', 'content_filter', { content: 'A' }],
    ['content_filter', 'SAFETY', { content: null }],
    ['refusal', 'stop', { content: null, refusal: 'No.' }],
    ['empty', 'stop', { content: ' ' }],
    ['empty', 'length', { content: null, reasoning: 'Hm' }],
  ])('is %s where the provider says %s', (expected, reason, message) => {
    expect(finish(reason, message).finish).toBe(expected)
  })

  it('leaves out the call that was cut, and keeps those before it', () => {
    const whole = call('f', '{"a":1}')
    const cut = finish('length', { content: null, tool_calls: [whole, call('g', '{"a"')] })
    expect(cut).toMatchObject({ finish: 'length', cutCall: 'g', calls: [{ name: 'f' }] })
    expect(cut.message.tool_calls).toEqual([whole])
    expect(finish('length', { content: null, tool_calls: [whole] })).toMatchObject({ cutCall: null })
    expect(finish('length', { content: null, tool_calls: [call('g', '{"a"')] }).message).not.toHaveProperty(
      'tool_calls',
    )
  })

  it('makes no call of a reply that was filtered', () => {
    expect(finish('content_filter', { content: null, tool_calls: [call('f', '{}')] }).calls).toEqual([])
  })
})

describe('a continuation', () => {
  it.each([
    ['goes on in the word', 'the har', 'bour', 'the harbour'],
    ['repeats the end', 'one, two, three, four', 'two, three, four, five', 'one, two, three, four, five'],
    [
      'repeats the end after a blank line',
      'one, two, three:\n\n',
      'two, three:\n\n- four',
      'one, two, three:\n\n- four',
    ],
    [
      'looks like a repetition of lines',
      '|---|---|---|---|\n',
      '|---|---|---|---|\n',
      '|---|---|---|---|\n|---|---|---|---|\n',
    ],
    ['is the first text', '', ' A', ' A'],
  ])('that %s is joined so', (_how, before, after, joined) => {
    expect(joinReplies(before, after)).toBe(joined)
  })
})
