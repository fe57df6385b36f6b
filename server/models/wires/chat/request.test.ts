import { describe, expect, test } from 'vitest'
import { readOutputLimit } from './request'

describe('readOutputLimit', () => {
  test('max_completion_tokens comes before max_tokens, null counts as absent', () => {
    expect(readOutputLimit({ max_completion_tokens: 5, max_tokens: 9, n: 3 })).toEqual({ outputTokens: 5, n: 3 })
    expect(readOutputLimit({ max_completion_tokens: null, max_tokens: 9 })).toEqual({ outputTokens: 9, n: 1 })
    expect(readOutputLimit({ n: null })).toEqual({ outputTokens: null, n: 1 })
  })
  test.each([
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ max_tokens: -1 }, 'max_tokens'],
    [{ max_tokens: 1.5 }, 'max_tokens'],
    [{ max_tokens: '100' }, 'max_tokens'],
    [{ max_completion_tokens: 2e9 }, 'max_completion_tokens'],
    [{ n: 9 }, 'n'],
    [{ n: 0 }, 'n'],
    [{ n: true }, 'n'],
  ])('%j is refused', (body, path) => {
    expect(() => readOutputLimit(body)).toThrow(
      expect.objectContaining({ code: 'invalid_request', detail: { issues: [expect.objectContaining({ path })] } }),
    )
  })
})
