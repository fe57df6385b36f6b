import { expect, test } from 'vitest'
import { landingCalls } from './calls'

test('the calls of the landing page have short lines, also where its address is long', () => {
  const { tool, chat } = landingCalls('https://gateway.a-company.example', 'a/b')
  expect(tool).toContain('curl https://gateway.a-company.example/api/v1\\\n/query \\\n')
  expect(chat).toContain('curl https://gateway.a-company.example/api/v1\\\n/chat/completions \\\n')
  expect(landingCalls('https://a.example', 'a/b').tool).toContain('curl https://a.example/api/v1/query \\\n')
})

test('the calls of the landing page send JSON', () => {
  const bodies = Object.values(landingCalls('https://tollgate.example', 'a/b')).map((code) =>
    JSON.parse(/ -d '(.+)'$/s.exec(code)?.[1] ?? ''),
  )
  expect(bodies).toEqual([
    { tool: 'web_search', params: { query: expect.any(String) } },
    { model: 'a/b', messages: [{ role: 'user', content: expect.any(String) }] },
    { goal: expect.any(String), idempotencyKey: expect.any(String), wait: true },
  ])
})
