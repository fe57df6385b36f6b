import { describe, expect, test } from 'vitest'
import { abilitiesAt } from '../../abilities/of-upstream'
import { mediaInResponses } from './media'
import { measureResponsesPrompt } from './prompt'
import { ResponsesRequest, readResponsesRequest } from './request'
import { chatNameOf } from './tool-names'
import { responsesUpstream } from './upstream'

const read = (more: object) => readResponsesRequest(ResponsesRequest.parse({ model: 'm', input: 'Hi', ...more })).body

describe('what is passed on', () => {
  test('has no hosted tools, wherever they are named', () => {
    const f = { type: 'function', name: 'f' }
    const search = { type: 'tool_search', execution: 'client' }
    const shell = { type: 'shell', environment: { type: 'local' } }
    const tools = [
      { type: 'web_search' },
      f,
      search,
      { type: 'tool_search' },
      shell,
      { type: 'shell' },
      { type: 'mcp' },
    ]
    const input = [
      { type: 'tool_search_output', tools: [{ type: 'mcp' }, f] },
      { role: 'user', content: 'x' },
    ]
    const choice = { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'web_search' }, f] }
    expect(read({ tools, input, tool_choice: choice })).toMatchObject({
      tools: [f, search, shell],
      input: [{ tools: [f] }, {}],
      tool_choice: { tools: [f] },
    })
  })

  test('names no storage and no price', () => {
    expect(read({ store: true, service_tier: 'flex', background: false, previous_response_id: null })).toEqual({
      model: 'm',
      input: 'Hi',
    })
  })
})

describe('what an upstream is sent', () => {
  const upstream = { api: 'responses' as const, baseUrl: 'https://example.com', apiKeyEnv: null, model: 'x' }
  const sent = (body: object, more: object = {}, model = 'x') =>
    responsesUpstream.requestBody(
      { input: 'Hi', ...body },
      {
        upstream: { ...upstream, model },
        isStream: false,
        abilities: abilitiesAt({ id: 'a/b' }, { ...upstream, model }),
        ...more,
      },
    )

  test('says that nothing is stored, and asks for the reasoning that comes back', () => {
    expect(sent({ stream: false })).toEqual({
      model: 'x',
      input: 'Hi',
      store: false,
      include: ['reasoning.encrypted_content'],
    })
    expect(sent({ include: ['a'] }).include).toEqual(['a', 'reasoning.encrypted_content'])
    for (const model of ['gpt-4.1-mini', 'openai/gpt-4o', 'gpt-5.2-chat-latest'])
      expect(sent({}, {}, model)).not.toHaveProperty('include')
  })

  test('has our limit where the caller gave none, and streams without padding', () => {
    expect(sent({ max_output_tokens: 5 }, { outputTokens: 9 }).max_output_tokens).toBe(5)
    expect(sent({}, { outputTokens: 9 }).max_output_tokens).toBe(9)
    expect(sent({ stream_options: { include_obfuscation: true } }, { isStream: true })).not.toHaveProperty(
      'stream_options',
    )
  })

  test('has no reasoning that only others could read', () => {
    const kept = { type: 'reasoning', encrypted_content: 'gAA' }
    const input = [kept, { type: 'reasoning', id: 'rs_1' }, { type: 'reasoning', encrypted_content: 'tollgate.1.e30' }]
    expect(sent({ input }).input).toEqual([kept])
  })
})

describe('media', () => {
  const of = (part: object, role?: string) => mediaInResponses({ input: [{ role, content: [part] }] })

  test('are found at any depth, as they were given', () => {
    const url = 'https://example.com/a.png'
    expect(of({ type: 'input_image', image_url: url }, 'user')).toEqual([
      { kind: 'image', path: ['input', 0, 'content', 0, 'image_url'], url },
    ])
    const output = [{ type: 'input_image', image_url: url }]
    expect(mediaInResponses({ input: [{ type: 'function_call_output', output }] })).toMatchObject([
      { kind: 'image', url },
    ])
    expect(mediaInResponses({ input: [{ type: 'computer_call_output', output: { image_url: url } }] })).toMatchObject([
      { url },
    ])
    expect(of({ type: 'input_file', file_url: url }, 'user')).toMatchObject([{ kind: 'file', url }])
    expect(of({ type: 'input_file', file_data: url }, 'user')).toMatchObject([{ kind: 'file', url }])
    expect(of({ type: 'input_file', file_data: 'data:application/pdf;base64,AA==' }, 'user')).toEqual([])
  })

  test('are wrong by id, without an address, and in messages of others than users', () => {
    for (const part of [
      { type: 'input_image', file_id: 'file-1' },
      { type: 'input_file', file_id: 'file-1' },
    ])
      expect(of(part, 'user')[0] ?? of(part, 'user')).toMatchObject({ wrong: expect.any(String) })
    expect(of({ type: 'input_image' }, 'user')).toMatchObject([{ wrong: expect.any(String) }])
    expect(of({ type: 'input_image', image_url: 'x' }, 'assistant')).toMatchObject([{ wrong: expect.any(String) }])
  })
})

describe('the prompt', () => {
  test('has every text that can reach the model, and images by their size', () => {
    const { texts, images, tokens } = measureResponsesPrompt({
      model: 'no',
      instructions: 'one',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'two' },
            { type: 'input_image', image_url: 'https://x.example/a' },
          ],
        },
        { type: 'function_call', call_id: 'no', name: 'three', arguments: '{"four":4}' },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'five' }], encrypted_content: 'six' },
        { type: 'additional_tools', tools: [{ type: 'function', name: 'seven' }] },
      ],
      tools: [{ type: 'function', name: 'eight' }],
      text: { format: { name: 'nine' } },
      metadata: { no: 'no' },
      prompt_cache_key: 'no',
      x_unknown: 'ten',
    })
    expect(images).toBe(1)
    expect(tokens).toBeGreaterThan(6_000)
    const all = texts.join(' ')
    for (const word of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'])
      expect(all).toContain(word)
    expect(all).not.toMatch(/\bno\b/)
  })
})

describe('the name of a tool as a function of chat form', () => {
  test('has its namespace, and at most 64 characters', () => {
    expect(chatNameOf({ name: 'spawn', namespace: 'agents' })).toBe('agents__spawn')
    const long = [1, 2].map((n) => chatNameOf({ name: `${'x'.repeat(60)}${n}`, namespace: 'mcp__hub__' }))
    expect(new Set(long.map((name) => name.length))).toEqual(new Set([64]))
    expect(new Set(long).size).toBe(2)
  })
})
