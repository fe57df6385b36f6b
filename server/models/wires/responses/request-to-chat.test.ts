import { describe, expect, test } from 'vitest'
import { sealReasoning } from './reasoning'
import { responsesToChat } from './request-to-chat'

const messagesOf = (input: unknown, more: object = {}) => responsesToChat({ model: 'm', input, ...more }).messages

describe('the messages of a request', () => {
  test('are its instructions and input; system messages in a row are one', () => {
    expect(messagesOf('Hi', { instructions: 'Be brief.' })).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ])
    const developer = (text: string) => ({
      type: 'message',
      role: 'developer',
      content: [{ type: 'input_text', text }],
    })
    expect(messagesOf([developer('a'), developer('b'), { role: 'user', content: 'Hi' }])).toEqual([
      { role: 'system', content: 'a\n\nb' },
      { role: 'user', content: 'Hi' },
    ])
  })

  test('have parts where there is more than text', () => {
    const content = [
      { type: 'input_text', text: 'What?' },
      { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'original' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
    ]
    expect(messagesOf([{ role: 'user', content }])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What?' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'high' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } },
        ],
      },
    ])
  })

  test('keep text, calls and thoughts of one turn together, and results after their calls', () => {
    const encrypted_content = sealReasoning({ field: 'reasoning_content', details: [{ type: 'x', index: 0 }] })
    const items = [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Wait.' }] },
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'b', name: 'patch', input: '+x' },
      { type: 'function_call_output', call_id: 'a', output: '1' },
      { type: 'custom_tool_call_output', call_id: 'b', output: [{ type: 'input_text', text: '2' }] },
      { role: 'user', content: 'And?' },
    ]
    expect(messagesOf(items)).toEqual([
      {
        role: 'assistant',
        content: 'Wait.',
        reasoning_content: 'hm',
        reasoning_details: [{ type: 'x', index: 0 }],
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
          { id: 'b', type: 'function', function: { name: 'patch', arguments: '{"input":"+x"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'tool', tool_call_id: 'b', content: '2' },
      { role: 'user', content: 'And?' },
    ])
  })

  test('show images of results after all results of the turn', () => {
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AA==' }
    const call = (call_id: string) => ({ type: 'function_call', call_id, name: 'f', arguments: '{}' })
    const items = [
      call('a'),
      call('b'),
      { type: 'function_call_output', call_id: 'a', output: [image] },
      { type: 'function_call_output', call_id: 'b', output: 'x' },
    ]
    expect(messagesOf(items)).toMatchObject([
      { role: 'assistant' },
      { role: 'tool', tool_call_id: 'a', content: '' },
      { role: 'tool', tool_call_id: 'b', content: 'x' },
      { role: 'user', content: [{ type: 'image_url' }] },
    ])
  })

  test('leave out what another provider encrypted, thoughts without an answer, and hosted calls of the past', () => {
    const items = [
      { role: 'user', content: 'Hi' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'reasoning', summary: [], encrypted_content: 'gAAA' },
      { role: 'user', content: 'Hi?' },
    ]
    expect(messagesOf(items)).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'user', content: 'Hi?' },
    ])
  })

  test.each([
    [{ type: 'compaction', encrypted_content: 'x' }, 'input.0.type'],
    [{ role: 'user', content: [{ type: 'input_video' }] }, 'input.0.content.0.type'],
    [
      { role: 'user', content: [{ type: 'input_file', file_url: 'https://example.com' }] },
      'input.0.content.0.file_url',
    ],
  ])('refuse %j by its path', (item, path) => {
    expect(() => messagesOf([item])).toThrow(
      expect.objectContaining({ code: 'invalid_request', detail: { issues: [expect.objectContaining({ path })] } }),
    )
  })
})

describe('the fields of a request', () => {
  test('have the names of chat', () => {
    const schema = { name: 'place', schema: { type: 'object' }, strict: true }
    const { messages: _messages, ...fields } = responsesToChat({
      model: 'm',
      input: 'x',
      max_output_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_schema', ...schema }, verbosity: 'low' },
      include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
      top_logprobs: 2,
      metadata: { a: 'b' },
      prompt_cache_key: 'k',
      parallel_tool_calls: false,
      x_unknown: 1,
    })
    expect(fields).toEqual({
      model: 'm',
      max_completion_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      reasoning_effort: 'low',
      verbosity: 'low',
      response_format: { type: 'json_schema', json_schema: schema },
      logprobs: true,
      top_logprobs: 2,
    })
  })

  test('have every tool that a client runs as a function', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string' } } }
    const { tools, tool_choice, parallel_tool_calls } = responsesToChat({
      model: 'm',
      input: [
        { type: 'additional_tools', tools: [{ type: 'function', name: 'late' }] },
        { role: 'user', content: 'x' },
      ],
      tools: [
        { type: 'function', name: 'f', description: 'd', parameters, strict: true },
        {
          type: 'custom',
          name: 'patch',
          description: 'Patches',
          format: { type: 'grammar', syntax: 'lark', definition: 'G' },
        },
        { type: 'namespace', name: 'mcp__hub__', tools: [{ type: 'function', name: 'list', parameters }] },
        { type: 'local_shell' },
        { type: 'tool_search', execution: 'client' },
      ],
      tool_choice: { type: 'function', name: 'list', namespace: 'mcp__hub__' },
      parallel_tool_calls: false,
    })
    expect(tools).toMatchObject([
      { type: 'function', function: { name: 'f', description: 'd', parameters, strict: true } },
      { function: { name: 'patch', description: expect.stringMatching(/^Patches\n[\s\S]*lark grammar:\nG$/) } },
      { function: { name: 'mcp__hub__list', parameters } },
      { function: { name: 'local_shell' } },
      { function: { name: 'late', parameters: { type: 'object' } } },
    ])
    expect(tool_choice).toEqual({ type: 'function', function: { name: 'mcp__hub__list' } })
    expect(parallel_tool_calls).toBe(false)
  })

  test('offer only the tools that are allowed', () => {
    const tools = ['a', 'b'].map((name) => ({ type: 'function', name }))
    const tool_choice = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'b' }] }
    expect(responsesToChat({ model: 'm', input: 'x', tools, tool_choice })).toMatchObject({
      tools: [{ function: { name: 'b' } }],
      tool_choice: 'required',
    })
  })
})
