import { describe, expect, test } from 'vitest'
import { messagesBodyFromChat } from './from-chat'

const user = (content: unknown) => ({ role: 'user', content })
const call = (id: string, args: string) => ({ id, type: 'function', function: { name: 'look', arguments: args } })
const fn = { type: 'function', function: { name: 'look', description: 'Looks', parameters: { properties: {} } } }
const from = (messages: object[], more: object = {}) => messagesBodyFromChat({ messages, ...more })

describe('a chat body in the messages wire', () => {
  test('has the system prompt on top, and roles that alternate', () => {
    const body = from(
      [
        { role: 'system', content: 'One' },
        { role: 'developer', content: [{ type: 'text', text: 'Two', cache_control: { type: 'ephemeral' } }] },
        user('a'),
        user([
          { type: 'text', text: ' ' },
          { type: 'text', text: 'b' },
        ]),
        { role: 'assistant', content: 'c' },
        user(''),
        { role: 'assistant', content: 'd ' },
      ],
      { max_completion_tokens: 7, max_tokens: 8, temperature: 1.5, top_p: 0.5, stop: 'x', seed: 4, user: 'u' },
    )
    expect(body).toEqual({
      system: [
        { type: 'text', text: 'One' },
        { type: 'text', text: 'Two', cache_control: { type: 'ephemeral' } },
      ],
      messages: [
        user([
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ]),
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'c' },
            { type: 'text', text: 'd' },
          ],
        },
      ],
      max_tokens: 7,
      temperature: 1.5,
      top_p: 0.5,
      stop_sequences: ['x'],
    })
  })

  test('has calls and results', () => {
    const { messages } = from([
      user('Look'),
      { role: 'assistant', content: null, tool_calls: [call('functions.look:0', '{"at":1}'), call('b', '{broken')] },
      { role: 'tool', tool_call_id: 'functions.look:0', content: 'sea' },
      { role: 'tool', tool_call_id: 'b', content: '' },
      user('And?'),
    ])
    expect(messages).toEqual([
      user([{ type: 'text', text: 'Look' }]),
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'functions_look_0', name: 'look', input: { at: 1 } },
          { type: 'tool_use', id: 'b', name: 'look', input: { INVALID_JSON: '{broken' } },
        ],
      },
      user([
        { type: 'tool_result', tool_use_id: 'functions_look_0', content: [{ type: 'text', text: 'sea' }] },
        { type: 'tool_result', tool_use_id: 'b' },
        { type: 'text', text: 'And?' },
      ]),
    ])
  })

  test('defines the tools of earlier calls where none are offered', () => {
    const messages = [user('x'), { role: 'assistant', tool_calls: [call('a', '{}'), call('b', '{}')] }]
    expect(from(messages)).toMatchObject({
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
      tool_choice: { type: 'none' },
    })
  })

  test('shows images and files', () => {
    const { messages } = from([
      user([
        { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
        { type: 'image_url', image_url: 'https://example.com/a.png' },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,QQ' } },
      ]),
    ])
    expect(messages).toEqual([
      user([
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'QQ' },
          title: 'a.pdf',
        },
      ]),
    ])
  })

  test.each([
    ['auto', undefined, undefined],
    [undefined, false, { type: 'auto', disable_parallel_tool_use: true }],
    ['required', undefined, { type: 'any' }],
    ['none', true, { type: 'none' }],
    [
      { type: 'function', function: { name: 'look' } },
      false,
      { type: 'tool', name: 'look', disable_parallel_tool_use: true },
    ],
  ])('chooses tools by %j, parallel %j', (choice, parallel, wanted) => {
    const body = from([user('x')], { tools: [fn], tool_choice: choice, parallel_tool_calls: parallel })
    expect(body.tools).toEqual([
      { name: 'look', description: 'Looks', input_schema: { type: 'object', properties: {} } },
    ])
    expect(body.tool_choice).toEqual(wanted)
  })

  test('answers in a schema', () => {
    const schema = { type: 'object' }
    const response_format = { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } }
    expect(from([], { response_format }).output_config).toEqual({ format: { type: 'json_schema', schema } })
    expect(from([], { response_format: { type: 'text' } }).output_config).toBeUndefined()
  })

  test.each([
    [{ n: 2 }, 'n'],
    [{ logprobs: true }, 'logprobs'],
    [{ logit_bias: { 1: 2 } }, 'logit_bias'],
    [{ response_format: { type: 'xml' } }, 'response_format.type'],
    [{ tools: [{ type: 'custom', custom: {} }] }, 'tools.0.type'],
    [{ messages: [user([{ type: 'input_audio', input_audio: {} }])] }, 'messages'],
  ])('names what it cannot carry: %j', (more, path) => {
    expect(() => from([user('x')], more)).toThrow(
      expect.objectContaining({ detail: { issues: [expect.objectContaining({ path })] } }),
    )
  })
})
