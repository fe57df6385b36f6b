import { describe, expect, test } from 'vitest'
import { affordableOutput, creditsForTokens, defaultOutput, holdForTokens } from './prices'

const prices = (input: bigint, output: bigint) => ({ creditsPer1mInput: input, creditsPer1mOutput: output })

describe('creditsForTokens', () => {
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

test('without a limit the smallest of default, maximum and remaining context applies', () => {
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
