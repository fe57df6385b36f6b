import { expect, test } from 'vitest'
import { firstCallCurl, firstCallPython, firstCallTypescript } from './first-call-snippets'

const of = { baseUrl: 'https://toll.example', secret: 'tg_secret', tools: 'all' as const }
const all = [firstCallCurl, firstCallTypescript, firstCallPython]

test('every snippet calls the public address and contains the secret once', () => {
  for (const snippet of all) {
    expect(snippet(of)).toContain('https://toll.example/api/v1/')
    expect(snippet(of).split('tg_secret')).toHaveLength(2)
  }
})

test('without a secret every snippet reads it from TOLLGATE_KEY', () => {
  for (const snippet of all) expect(snippet({ ...of, secret: null })).toContain('TOLLGATE_KEY')
})

test('the sample calls a tool that the key may call', () => {
  const body = /-d '(.*)'/.exec(firstCallCurl({ ...of, tools: ['web_read_url'] }))?.[1] ?? ''
  expect(JSON.parse(body)).toEqual({ tool: 'web_read_url', params: { url: 'https://example.com' } })
})

test('a key without such a tool calls GET /key', () => {
  for (const snippet of [firstCallCurl, firstCallTypescript, firstCallPython]) {
    expect(snippet({ ...of, tools: ['web_screenshot'] })).toContain('/api/v1/key')
  }
})
