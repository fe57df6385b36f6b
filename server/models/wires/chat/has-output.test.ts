import { expect, test } from 'vitest'
import { hasOutput } from './has-output'

const chunk = (choice: object) => ({ choices: [{ index: 0, finish_reason: null, ...choice }] })

test.each([
  chunk({ delta: { content: 'a' } }),
  chunk({ delta: { role: 'assistant', content: ' ' } }),
  chunk({ delta: { reasoning_content: 'hm' } }),
  chunk({ delta: { tool_calls: [{ index: 0 }] } }),
  chunk({ delta: { refusal: 'No.' } }),
  chunk({ delta: {}, finish_reason: 'stop' }),
  chunk({ text: 'a' }),
  { choices: [{ delta: { content: '' } }, { delta: { content: 'b' } }] },
])('%j is output', (given) => {
  expect(hasOutput(given)).toBe(true)
})

test.each([
  {},
  { choices: [] },
  { choices: null },
  { choices: [null, 5] },
  { choices: [], prompt_filter_results: [{}] },
  chunk({}),
  chunk({ delta: null }),
  chunk({ delta: { role: 'assistant', content: '', refusal: null, tool_calls: [] } }),
  chunk({ delta: { content: '' }, finish_reason: '' }),
])('%j is not', (given) => {
  expect(hasOutput(given)).toBe(false)
})
