import { describe, expect, test } from 'vitest'
import { callCurl, callPython, callTypescript } from './call-code'
import { type FirstCall, firstCallFor, SEARCH_CALL } from './first-call'
import type { GrantableTool, GrantedScopes, KeyOptions } from './options'

const tool = (id: string, credits: number | null): GrantableTool => ({
  ...{ id, credits, label: id, description: '' },
  pricing: credits === null ? 'metered' : 'fixed',
  example: { of: id },
})
const model = (id: string, kind: KeyOptions['models'][number]['kind']) => ({
  ...{ id, kind, name: id, provider: 'x' },
  creditsPer1mOutput: 1,
})
const options = {
  groups: [
    { id: 'web', label: 'Web', tools: [tool('web_screenshot', 4), tool('web_map', 2), tool('web_search', 1)] },
    { id: 'media', label: 'Media', tools: [tool('video_generate', null)] },
  ],
  models: [model('a/vectors', 'embedding'), model('a/chat', 'chat'), model('b/chat', 'chat')],
}
const nothing: GrantedScopes = {
  ...{ tools: [], llm: false, allowedModels: [], agent: false },
  ...{ capabilities: null, agentRunBudgetCredits: 5_000 },
}
const callOf = (given: Partial<GrantedScopes>) => firstCallFor({ ...nothing, ...given }, options)

describe('the first call of a key', () => {
  test.each<[string, Partial<GrantedScopes>, Partial<FirstCall>]>([
    [
      'with every tool searches the web',
      { tools: 'all', llm: true, agent: true },
      { path: '/query', body: SEARCH_CALL.body },
    ],
    [
      'without such a tool calls the cheapest one with its example',
      { tools: ['web_screenshot', 'web_map', 'video_generate'] },
      { path: '/query', body: { tool: 'web_map', params: { of: 'web_map' } }, cost: 'Costs 2 credits.' },
    ],
    [
      'with models asks the first chat model that it may use',
      { llm: true, allowedModels: ['b/chat', 'a/vectors'], agent: true },
      { path: '/chat/completions', body: expect.objectContaining({ model: 'b/chat' }) },
    ],
    [
      'with embeddings alone asks for one',
      { llm: true, allowedModels: ['a/vectors'] },
      { path: '/embeddings', body: expect.objectContaining({ model: 'a/vectors' }) },
    ],
    [
      'with datasets alone makes one',
      { agent: true, capabilities: ['data'] },
      { path: '/agent', body: expect.objectContaining({ goal: expect.stringContaining('dataset'), wait: true }) },
    ],
    [
      'with agents says the spend limit',
      { agent: true },
      { path: '/agent', cost: expect.stringContaining('5\u202f000') },
    ],
    [
      'with a metered tool calls that',
      { tools: ['video_generate'] },
      { path: '/query', cost: expect.stringContaining('metered') },
    ],
    ['with nothing else asks for its status', { llm: true, allowedModels: ['gone'] }, { path: '/key', body: null }],
  ])('%s', (_name, given, call) => {
    expect(callOf(given)).toMatchObject(call)
  })
})

describe.each([callCurl, callTypescript, callPython])('%o', (code) => {
  const calls = [SEARCH_CALL, callOf({ agent: true }), callOf({ llm: true, allowedModels: ['gone'] })]

  test.each(calls)('calls $path at the public address with the secret once', (call) => {
    const text = code({ baseUrl: 'https://toll.example', secret: 'tg_secret', call })
    expect(text).toContain(`https://toll.example/api/v1${call.path}`)
    expect(text.split('tg_secret')).toHaveLength(2)
  })

  test.each(calls)('reads the secret of $path from TOLLGATE_KEY where there is none', (call) => {
    expect(code({ baseUrl: 'https://toll.example', secret: null, call })).toContain('TOLLGATE_KEY')
  })
})

test('a body is quoted for the shell, and a literal of Python', () => {
  const call = { path: '/x', body: { text: `it's`, on: true, none: null, list: [1, false] }, cost: '' }
  const of = { baseUrl: '', secret: null, call }
  expect(callCurl(of)).toContain(`'{"text":"it'\\''s","on":true,"none":null,"list":[1,false]}'`)
  expect(callPython(of)).toContain('json={"text": "it\'s", "on": True, "none": None, "list": [1, False]},')
})
