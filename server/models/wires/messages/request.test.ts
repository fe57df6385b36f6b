import { describe, expect, test } from 'vitest'
import { CountTokensRequest, MessagesRequest, readMessagesRequest } from './request'

const base = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }
const issuesOf = (body: object) => MessagesRequest.safeParse(body).error?.issues.map(({ path }) => path.join('.')) ?? []
const read = (more: object, headers?: Record<string, string>) =>
  readMessagesRequest(MessagesRequest.parse({ ...base, ...more }), new Headers(headers))

describe('a request', () => {
  test.each([
    [{ max_tokens: undefined }, 'max_tokens'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ max_tokens: 1.5 }, 'max_tokens'],
    [{ messages: [] }, 'messages'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages.0.role'],
    [{ messages: [{ role: 'user', content: [{ text: 'x' }] }] }, 'messages.0.content'],
    [{ system: [{ type: 'image' }] }, 'system'],
    [{ tool_choice: { type: 'required' } }, 'tool_choice.type'],
    [{ container: 'c' }, 'container'],
    [{ mcp_servers: [{ url: 'https://example.com' }] }, 'mcp_servers'],
    [{ fallbacks: [{ model: 'other' }] }, 'fallbacks'],
    [{ context_management: { edits: [{ type: 'compact_20260112' }] } }, 'context_management.edits.0'],
  ])('with %j is refused', (more, path) => {
    expect(issuesOf({ ...base, ...more })).toContain(path)
  })

  test('needs no limit to be counted', () => {
    const { max_tokens: _limit, ...counted } = base
    expect(CountTokensRequest.safeParse(counted).success).toBe(true)
    expect(CountTokensRequest.safeParse({ ...counted, messages: [] }).success).toBe(false)
  })

  test('passes every other field, and leaves out those that choose another price', () => {
    const passed = {
      metadata: { user_id: 'u' },
      thinking: { type: 'adaptive' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      output_config: { effort: 'low' },
      top_k: 5,
      new_field: [1],
    }
    expect(read({ ...passed, service_tier: 'auto', speed: 'fast', diagnostics: {} }).body).toEqual({
      ...base,
      ...passed,
    })
  })

  test('passes on the two headers of the API', () => {
    const headers = { 'anthropic-beta': 'a,b', 'anthropic-version': '2023-06-01', 'x-api-key': 'secret', cookie: 'c' }
    expect(read({}, headers).headers).toEqual({ 'anthropic-beta': 'a,b', 'anthropic-version': '2023-06-01' })
  })

  test('keeps cache marks, without a lifetime that costs more', () => {
    const mark = { cache_control: { type: 'ephemeral', ttl: '1h', scope: 'global' } }
    const kept = { cache_control: { type: 'ephemeral', scope: 'global' } }
    const result = (given: object) => [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', ...given }] }]
    const { body } = read({
      ...mark,
      system: [{ type: 'text', text: 's', ...mark }],
      tools: [{ name: 't', ...mark }],
      messages: [{ role: 'user', content: result(mark) }],
    })
    expect(body).toMatchObject({ ...kept, system: [kept], tools: [kept], messages: [{ content: result(kept) }] })
    expect(JSON.stringify(body)).not.toContain('ttl')
  })
})

describe('tools', () => {
  const bash = { type: 'bash_20250124', name: 'bash' }
  const own = { name: 'look', input_schema: { type: 'object' } }
  const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 5 }
  const finder = { type: 'tool_search_tool_regex_20251119', name: 'find' }

  test('that run at the provider are left out, with what refers to them', () => {
    const code = { type: 'code_execution_20250825', name: 'code_execution' }
    const called = { ...own, allowed_callers: ['code_execution_20250825'] }
    expect(read({ tools: [bash, called, search, code] }).body.tools).toEqual([bash, own])
    expect(read({ tools: [search], tool_choice: { type: 'auto' } }).body).toEqual(base)
    const later = { ...own, defer_loading: true }
    expect(read({ tools: [later, finder] }).body.tools).toEqual([own])
    expect(read({ tools: [later, bash] }).body.tools).toEqual([later, bash])
  })

  test('that run at the provider cannot be forced', () => {
    expect(() => read({ tools: [search], tool_choice: { type: 'tool', name: 'web_search' } })).toThrow(
      'web_search_20250305',
    )
  })
})
