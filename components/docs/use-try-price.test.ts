import { expect, test } from 'vitest'
import { priceQuestion } from './use-try-price'

test('the price of a tool’s call and of a chat is asked for with what would be sent', () => {
  const call = { tool: 'web_search', params: { query: 'tolls' }, timeout: 3 }
  expect(priceQuestion('/api/v1/query', JSON.stringify(call))).toEqual({
    url: '/api/trpc/tools.estimate',
    input: '{"tool":"web_search","params":{"query":"tolls"}}',
  })
  expect(priceQuestion('/api/v1/query', '{"tool":"x"}')?.input).toBe('{"tool":"x","params":{}}')
  expect(priceQuestion('/api/v1/chat/completions', '{"model":"m"}')).toEqual({
    url: '/api/trpc/playground.estimate',
    input: '{"model":"m"}',
  })
})

test('nothing is asked for half a body, or where a call has no price of its own', () => {
  expect(priceQuestion('/api/v1/query', '{"tool":')).toBeNull()
  expect(priceQuestion('/api/v1/agent', '{"goal":"x"}')).toBeNull()
  expect(priceQuestion('/api/v1/query', 'null')?.input).toBe('{"params":{}}')
})
