import { describe, expect, test } from 'vitest'
import { responseToChat } from './answer-to-chat'
import { makeResponsesTranslator } from './events-to-chat'
import { makeResponsesFactsReader } from './facts'

const usage = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 14,
}
const thought = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'hm' }],
  encrypted_content: 'gAA',
}
const message = { id: 'm', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }
const call = { id: 'fc', type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' }
const response = {
  id: 'resp_1',
  created_at: 5,
  model: 'x',
  incomplete_details: null,
  output: [thought, message, call],
  usage,
}

type Delta = Record<string, unknown> & { tool_calls?: Record<string, unknown>[] }
type Chunk = { choices: { delta: Delta; finish_reason: string | null }[]; usage?: unknown }

/** The chat message that a stream amounts to. */
function collected(events: Record<string, unknown>[]) {
  const translate = makeResponsesTranslator()
  const chunks = events.flatMap(translate) as unknown as Chunk[]
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta))
  const text = (field: string) => deltas.map((delta) => delta[field] ?? '').join('')
  const calls = deltas.flatMap(({ tool_calls }) => tool_calls ?? [])
  const args = calls.map(
    ({ function: f, custom }) => ({ ...(f as object), ...(custom as object) }) as Record<string, string>,
  )
  return {
    content: text('content'),
    reasoning: text('reasoning'),
    refusal: text('refusal'),
    details: deltas.flatMap(({ reasoning_details: details }) => (details ?? []) as unknown[]),
    first: calls[0],
    arguments: args.map((each) => each.arguments ?? each.input ?? '').join(''),
    finish: chunks.flatMap(({ choices }) => choices.map((c) => c.finish_reason)).filter(Boolean),
    usage: chunks.at(-1)?.usage,
  }
}

const whole = {
  content: 'Hi',
  reasoning: 'hm',
  details: [
    { type: 'reasoning.summary', summary: 'hm', id: 'rs_1' },
    { type: 'reasoning.encrypted', data: 'gAA', id: 'rs_1' },
  ],
  first: { index: 0, id: 'c1', type: 'function', function: { name: 'f' } },
  arguments: '{"a":1}',
  finish: ['tool_calls'],
  usage: { prompt_tokens: 9, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } },
}

const created = { type: 'response.created', response: { ...response, output: [] } }
const completed = { type: 'response.completed', response }
const delta = (type: string, output_index: number, text: string) => ({
  type: `response.${type}.delta`,
  output_index,
  delta: text,
})
const done = (output_index: number, item: object) => ({ type: 'response.output_item.done', output_index, item })

describe('a stream of responses in chat form', () => {
  test.each([
    [
      'in pieces',
      [
        created,
        delta('reasoning_summary_text', 0, 'hm'),
        delta('reasoning_text', 0, 'the same in other words'),
        done(0, thought),
        delta('output_text', 1, 'H'),
        delta('output_text', 1, 'i'),
        done(1, message),
        { type: 'response.output_item.added', output_index: 2, item: { ...call, arguments: '' } },
        delta('function_call_arguments', 2, '{"a"'),
        delta('function_call_arguments', 2, ':1}'),
        done(2, call),
        completed,
      ],
    ],
    ['as whole items', [created, done(0, thought), done(1, message), done(2, call), completed]],
    ['only at its end', [created, completed]],
  ])('says the same, %s', (_name, events) => {
    expect(collected(events)).toMatchObject(whole)
    const read = makeResponsesFactsReader()
    const texts = events.flatMap((event) => read(event).texts).map(({ text }) => text)
    expect(texts.join('')).toContain('Hi')
    expect(texts.join('')).toContain('{"a":1}')
  })

  test('ends for the reason that it gives', () => {
    const cut = { ...response, output: [], incomplete_details: { reason: 'max_output_tokens' } }
    expect(collected([created, { type: 'response.incomplete', response: cut }]).finish).toEqual(['length'])
  })

  test('brings refusals and the input of custom tools', () => {
    const patch = { id: 'ct', type: 'custom_tool_call', call_id: 'c2', name: 'p', input: '+x' }
    const said = collected([
      created,
      delta('refusal', 0, 'No.'),
      done(1, patch),
      { ...completed, response: { ...response, output: [] } },
    ])
    expect(said).toMatchObject({ refusal: 'No.', arguments: '+x', first: { type: 'custom', custom: { name: 'p' } } })
  })
})

test('a response as one chat completion says what its stream says', () => {
  expect(responseToChat(response)).toMatchObject({
    object: 'chat.completion',
    created: 5,
    choices: [
      {
        finish_reason: 'tool_calls',
        message: {
          content: 'Hi',
          reasoning: 'hm',
          refusal: null,
          reasoning_details: [{ index: 0 }, { index: 1 }],
          tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{"a":1}' } }],
        },
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens_details: { reasoning_tokens: 2 } },
  })
})
