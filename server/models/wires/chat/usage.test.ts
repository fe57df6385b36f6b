import { describe, expect, test } from 'vitest'
import { readUsage } from './usage'

describe('readUsage', () => {
  test('takes whole numbers and looks at nothing else', () => {
    const details = {
      prompt_tokens_details: { cached_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 'x' },
    }
    expect(readUsage({ prompt_tokens: 12, completion_tokens: 3, total_tokens: -1, ...details })).toEqual({
      inputTokens: 12,
      outputTokens: 3,
    })
    expect(readUsage({ prompt_tokens: 12, completion_tokens: 0 })).toEqual({ inputTokens: 12, outputTokens: 0 })
  })
  test('takes the cost that routers name, in USD', () => {
    const usage = { prompt_tokens: 12, completion_tokens: 3 }
    expect(readUsage({ ...usage, cost: 0.02 })).toEqual({ inputTokens: 12, outputTokens: 3, costUsd: 0.02 })
    for (const cost of [-1, '0.02', null]) expect(readUsage({ ...usage, cost })).not.toHaveProperty('costUsd')
  })
  test.each([
    null,
    undefined,
    'usage',
    [],
    {},
    { prompt_tokens: 1 },
    { prompt_tokens: -1, completion_tokens: 1 },
    { prompt_tokens: '12', completion_tokens: 3 },
    { prompt_tokens: 1.5, completion_tokens: 3 },
    { prompt_tokens: Number.NaN, completion_tokens: 3 },
    { prompt_tokens: Number.POSITIVE_INFINITY, completion_tokens: 3 },
    { prompt_tokens: 1e10, completion_tokens: 3 },
    { prompt_tokens: 0, completion_tokens: 0 },
  ])('does not believe %j', (raw) => {
    expect(readUsage(raw)).toBeNull()
  })
})
