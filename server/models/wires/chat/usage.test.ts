import { describe, expect, test } from 'vitest'
import { readUsage, writeUsage } from './usage'

describe('readUsage', () => {
  test('takes whole numbers and looks at nothing else', () => {
    const details = {
      prompt_tokens_details: { cached_tokens: -5 },
      completion_tokens_details: { reasoning_tokens: 'x' },
    }
    expect(readUsage({ prompt_tokens: 12, completion_tokens: 3, total_tokens: -1, ...details })).toEqual({
      inputTokens: 12,
      outputTokens: 3,
    })
    expect(readUsage({ prompt_tokens: 12, completion_tokens: 0 })).toEqual({ inputTokens: 12, outputTokens: 0 })
  })
  test.each([
    [
      { prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 2 } },
      { cachedInputTokens: 5, cacheWriteTokens: 2 },
    ],
    [{ prompt_tokens_details: { cached_tokens: 0, cache_creation_tokens: 4 } }, { cacheWriteTokens: 4 }],
    [{ prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 4 }, { cachedInputTokens: 8 }],
    [
      { cache_read_input_tokens: 6, cache_creation_input_tokens: 3 },
      { cachedInputTokens: 6, cacheWriteTokens: 3 },
    ],
    [{ cached_tokens: 7 }, { cachedInputTokens: 7 }],
    [{ completion_tokens_details: { reasoning_tokens: 2 } }, { reasoningTokens: 2 }],
  ])('takes the parts of the tokens under every name: %j', (parts, read) => {
    const usage = { prompt_tokens: 12, completion_tokens: 3 }
    expect(readUsage({ ...usage, ...parts })).toEqual({ inputTokens: 12, outputTokens: 3, ...read })
  })
  test('reads back what writeUsage writes', () => {
    const usage = { inputTokens: 12, outputTokens: 3, cachedInputTokens: 5, cacheWriteTokens: 2, reasoningTokens: 1 }
    expect(readUsage(writeUsage(usage))).toEqual(usage)
    expect(writeUsage({ inputTokens: 12, outputTokens: 3 })).toEqual({
      prompt_tokens: 12,
      completion_tokens: 3,
      total_tokens: 15,
    })
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
