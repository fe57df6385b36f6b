import { describe, expect, test } from 'vitest'
import { affordableOutput, creditsForTokens, defaultOutput, holdForTokens, readOutputLimit, readUsage } from './prices'

const prices = (input: bigint, output: bigint) => ({ creditsPer1mInput: input, creditsPer1mOutput: output })

describe('chargeFor', () => {
  test('rounds the sum up once, exactly', () => {
    const model = prices(8334n, 33_336n)
    expect(creditsForTokens({ inputTokens: 1_000_000, outputTokens: 1_000_000 }, model)).toBe(41_670n)
    expect(creditsForTokens({ inputTokens: 120, outputTokens: 0 }, model)).toBe(2n)
    expect(creditsForTokens({ inputTokens: 500_000, outputTokens: 250_000 }, prices(1n, 2n))).toBe(1n)
    expect(creditsForTokens({ inputTokens: 500_001, outputTokens: 250_000 }, prices(1n, 2n))).toBe(2n)
  })
  test('is exact where a number would not be', () => {
    const model = prices(999_999_999_999n, 1n)
    expect(creditsForTokens({ inputTokens: 999_999_999, outputTokens: 1 }, model)).toBe(999_999_998_999_001n)
  })
  test('is at least 1 when any token was used, also of a free model, and 0 without one', () => {
    expect(creditsForTokens({ inputTokens: 1, outputTokens: 0 }, prices(1n, 1n))).toBe(1n)
    expect(creditsForTokens({ inputTokens: 0, outputTokens: 1 }, prices(0n, 0n))).toBe(1n)
    expect(creditsForTokens({ inputTokens: 0, outputTokens: 0 }, prices(9n, 9n))).toBe(0n)
  })
})

describe('limitOf', () => {
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

test('without a limit the smallest of default, maximum and room in the context holds', () => {
  const model = { contextSize: 10_000, maxOutput: 4_000, defaultMaxOutput: 16_384 }
  expect(defaultOutput(model, 100)).toBe(4_000)
  expect(defaultOutput({ ...model, defaultMaxOutput: 500 }, 100)).toBe(500)
  expect(defaultOutput(model, 9_000)).toBe(1_000)
  expect(defaultOutput(model, 10_000)).toBe(4_000)
})

test('a hold covers every charge the same tokens can make', () => {
  const model = prices(7n, 13n)
  const hold = holdForTokens({ promptTokens: 123_456, outputTokens: 777, n: 3 }, model)
  expect(hold).toBe(creditsForTokens({ inputTokens: 123_456, outputTokens: 777 * 3 }, model))
  expect(holdForTokens({ promptTokens: 10, outputTokens: 10, n: 1 }, prices(0n, 0n))).toBe(1n)
})

test('what is affordable is held for no more than the credits, and one token more is', () => {
  for (const credits of [1n, 2n, 17n, 999n, 123_456n]) {
    for (const [input, output] of [
      [8334n, 33_336n],
      [1n, 1n],
      [500n, 999_999n],
    ] as const) {
      const model = prices(input, output)
      const size = { promptTokens: 97, n: 3 }
      const outputTokens = affordableOutput(credits, size, model)
      if (outputTokens === 0 || outputTokens === 1e9) continue
      expect(holdForTokens({ ...size, outputTokens }, model)).toBeLessThanOrEqual(credits)
      expect(holdForTokens({ ...size, outputTokens: outputTokens + 1 }, model)).toBeGreaterThan(credits)
    }
  }
})

test('nothing is affordable without credits, or when the prompt alone costs more', () => {
  expect(affordableOutput(0n, { promptTokens: 1, n: 1 }, prices(0n, 0n))).toBe(0)
  expect(affordableOutput(5n, { promptTokens: 6_000_000, n: 1 }, prices(1n, 1n))).toBe(0)
  expect(affordableOutput(1n, { promptTokens: 6_000_000, n: 1 }, prices(0n, 0n))).toBe(1e9)
})

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
