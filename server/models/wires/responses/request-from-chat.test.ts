import { expect, test } from 'vitest'
import { reasoningDetails } from './reasoning'
import { responsesFromChat } from './request-from-chat'

test('a chat request becomes items, tools that are strict only where they say so, and text options', () => {
  const thought = {
    id: 'rs_1',
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'hm' }],
    encrypted_content: 'gAA',
  }
  const body = {
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning: 'hm',
        reasoning_details: [...reasoningDetails(thought, 0), { type: 'reasoning.text', text: 'x', signature: 's' }],
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
          { id: 'b', type: 'custom', custom: { name: 'p', input: '+x' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'tool', tool_call_id: 'b', content: '2' },
      { role: 'assistant', content: 'Done.' },
    ],
    tools: [
      { type: 'function', function: { name: 'f' } },
      {
        type: 'custom',
        custom: { name: 'p', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'G' } } },
      },
    ],
    tool_choice: { type: 'function', function: { name: 'f' } },
    parallel_tool_calls: true,
    response_format: { type: 'json_object' },
    reasoning_effort: 'high',
    max_tokens: 9,
    temperature: 0,
    stop: [],
    n: 1,
    seed: 4,
    stream: true,
    stream_options: { include_usage: true },
    x_unknown: 1,
  }
  expect(responsesFromChat(body)).toEqual({
    model: 'm',
    input: [
      { type: 'message', role: 'system', content: 'Be brief.' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look' },
          { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'auto' },
        ],
      },
      thought,
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'b', name: 'p', input: '+x' },
      { type: 'function_call_output', call_id: 'a', output: '1' },
      { type: 'custom_tool_call_output', call_id: 'b', output: '2' },
      { type: 'message', role: 'assistant', content: 'Done.' },
    ],
    tools: [
      { type: 'function', name: 'f', parameters: { type: 'object', properties: {} }, strict: false },
      { type: 'custom', name: 'p', format: { type: 'grammar', syntax: 'lark', definition: 'G' } },
    ],
    tool_choice: { type: 'function', name: 'f' },
    parallel_tool_calls: true,
    text: { format: { type: 'json_object' } },
    reasoning: { effort: 'high' },
    max_output_tokens: 9,
    temperature: 0,
  })
})

test.each([
  ['stop', ['x']],
  ['logit_bias', { 1: 2 }],
  ['functions', [{ name: 'f' }]],
  ['n', 2],
])('%s is refused by its name', (field, value) => {
  const messages = [{ role: 'user', content: 'x' }]
  expect(() => responsesFromChat({ model: 'm', messages, [field]: value })).toThrow(
    expect.objectContaining({ detail: { issues: [expect.objectContaining({ path: field })] } }),
  )
})

test('a part that items do not have is refused by its path', () => {
  const messages = [{ role: 'user', content: [{ type: 'video_url', video_url: {} }] }]
  expect(() => responsesFromChat({ model: 'm', messages })).toThrow(
    expect.objectContaining({ detail: { issues: [expect.objectContaining({ path: 'messages.0.content.0.type' })] } }),
  )
})
