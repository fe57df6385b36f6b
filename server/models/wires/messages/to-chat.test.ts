import { describe, expect, test } from 'vitest'
import { messagesBodyToChat } from './to-chat'

const chat = (messages: object[], more: object = {}) =>
  messagesBodyToChat({ model: 'm', max_tokens: 9, messages, ...more })
const user = (...content: object[]) => ({ role: 'user', content })
const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more })
const base64 = { type: 'base64', media_type: 'image/png', data: 'QUJD' }
const refusal = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return (error as { detail: { issues: { path: string }[] } }).detail.issues[0]?.path
  }
}

describe('a messages body in chat form', () => {
  test('has its texts, its system prompt and its limits', () => {
    const cache = { cache_control: { type: 'ephemeral' } }
    const body = chat(
      [{ role: 'user', content: 'Hi' }, { role: 'system', content: 'Now.' }, user(text('a', cache), text('b'))],
      {
        system: [text('One', cache), text('Two')],
        stop_sequences: ['x'],
        temperature: 0.5,
        top_p: 0.9,
        top_k: 4,
        stream: true,
        metadata: { user_id: 'u' },
      },
    )
    expect(body).toEqual({
      model: 'm',
      max_completion_tokens: 9,
      messages: [
        { role: 'system', content: 'One\n\nTwo' },
        { role: 'user', content: 'Hi' },
        { role: 'system', content: 'Now.' },
        { role: 'user', content: [text('a'), text('b')] },
      ],
      stop: ['x'],
      temperature: 0.5,
      top_p: 0.9,
      stream: true,
    })
  })

  test('shows images and documents', () => {
    const [message] = chat([
      user(
        text('See'),
        { type: 'image', source: base64 },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'QQ' } },
        {
          type: 'document',
          title: 'T',
          context: 'C',
          source: { type: 'text', media_type: 'text/plain', data: 'words' },
        },
        { type: 'search_result', title: 'R', source: 'https://example.com', content: [text('found')] },
      ),
    ]).messages as { content: unknown }[]
    expect(message?.content).toEqual([
      text('See'),
      { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,QQ' } },
      text('<document>\nT\nC'),
      text('words'),
      text('</document>'),
      text('R\nhttps://example.com\nfound'),
    ])
  })

  test('has calls and their results, with images behind them', () => {
    const { messages } = chat([
      user(text('Look')),
      {
        role: 'assistant',
        content: [
          text('I look.'),
          { type: 'tool_use', id: 'a', name: 'look', input: { at: 1 } },
          { type: 'tool_use', id: 'b', name: 'look', input: {} },
        ],
      },
      user(
        { type: 'tool_result', tool_use_id: 'a', content: 'sea' },
        {
          type: 'tool_result',
          tool_use_id: 'b',
          is_error: true,
          content: [text('dark'), { type: 'image', source: base64 }],
        },
        text('And?'),
      ),
    ])
    expect(messages).toEqual([
      { role: 'user', content: 'Look' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'look', arguments: '{"at":1}' } },
          { id: 'b', type: 'function', function: { name: 'look', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'sea' },
      { role: 'tool', tool_call_id: 'b', content: 'Error: dark' },
      {
        role: 'user',
        content: [
          text('The result of b:'),
          { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
          text('And?'),
        ],
      },
    ])
  })

  test.each([
    [{ type: 'auto' }, 'auto', undefined],
    [{ type: 'any', disable_parallel_tool_use: true }, 'required', false],
    [{ type: 'none' }, 'none', undefined],
    [{ type: 'tool', name: 'look' }, { type: 'function', function: { name: 'look' } }, undefined],
  ])('chooses tools by %j', (given, choice, parallel) => {
    const schema = { type: 'object', properties: {} }
    const body = chat([user(text('x'))], {
      tools: [{ name: 'look', description: 'Looks', input_schema: schema, strict: true, cache_control: {} }],
      tool_choice: given,
    })
    const look = { name: 'look', description: 'Looks', parameters: schema, strict: true }
    expect(body.tools).toEqual([{ type: 'function', function: look }])
    expect([body.tool_choice, body.parallel_tool_calls]).toEqual([choice, parallel])
  })

  test.each([
    [{ thinking: { type: 'enabled', budget_tokens: 2_000 } }, 'low'],
    [{ thinking: { type: 'enabled', budget_tokens: 10_000 } }, 'medium'],
    [{ thinking: { type: 'enabled', budget_tokens: 30_000 } }, 'high'],
    [{ thinking: { type: 'adaptive' } }, undefined],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }, undefined],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }, 'low'],
    [{ thinking: { type: 'disabled' }, output_config: { effort: 'low' } }, undefined],
    [{ output_config: { effort: 'max' } }, 'high'],
  ])('thinks by %j', (given, effort) => {
    expect(chat([user(text('x'))], given).reasoning_effort).toBe(effort)
  })

  test('answers in a schema', () => {
    const schema = { type: 'object' }
    const format = { type: 'json_schema', schema }
    const wanted = { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } }
    expect(chat([], { output_config: { format } }).response_format).toEqual(wanted)
    expect(chat([], { output_format: format }).response_format).toEqual(wanted)
  })

  test('names what chat cannot carry', () => {
    const bash = { type: 'bash_20250124', name: 'bash' }
    expect(refusal(() => chat([user(text('x'))], { tools: [bash] }))).toBe('tools.0.type')
    const linked = { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } }
    expect(refusal(() => chat([user(text('x'), linked)]))).toBe('messages.0.content.1.source.type')
    const searched = { type: 'server_tool_use', id: 'a', name: 'web_search', input: {} }
    expect(refusal(() => chat([user(text('x')), { role: 'assistant', content: [searched] }]))).toBe(
      'messages.1.content.0',
    )
  })
})
