import { describe, expect, test } from 'vitest'
import { affordableOutput, creditsForTokens, defaultOutput, holdForTokens, splitInput, usdForTokens } from './prices'

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

describe('input from the cache', () => {
  const model = { ...prices(3_000_000n, 0n), creditsPer1mCachedInput: 300_000n, creditsPer1mCacheWrite: 3_750_000n }
  const usage = { inputTokens: 90_000, outputTokens: 0, cachedInputTokens: 89_000 }
  test('costs its own price, and a write its own', () => {
    expect(creditsForTokens(usage, model)).toBe(1_000n * 3n + 26_700n)
    expect(creditsForTokens({ ...usage, cacheWriteTokens: 1_000 }, model)).toBe(26_700n + 3_750n)
  })
  test('is rounded up once, over the sum', () => {
    const odd = { ...prices(333_333n, 333_333n), creditsPer1mCachedInput: 333_333n, creditsPer1mCacheWrite: 333_334n }
    const all = { inputTokens: 3, outputTokens: 0, cachedInputTokens: 1, cacheWriteTokens: 1 }
    expect(creditsForTokens(all, odd)).toBe(1n)
    expect(creditsForTokens({ ...all, inputTokens: 4 }, odd)).toBe(2n)
  })
  test('costs what other input does where it has no price', () => {
    expect(creditsForTokens(usage, prices(3_000_000n, 0n))).toBe(270_000n)
  })
  test('is not believed where it is more than the input', () => {
    for (const wrong of [{ cachedInputTokens: 90_001 }, { cacheWriteTokens: 1_001 }])
      expect(splitInput({ ...usage, ...wrong })).toEqual({ plain: 90_000, cached: 0, written: 0 })
  })
  test('is held at the highest price, so that every split is covered', () => {
    const hold = holdForTokens({ promptTokens: 90_000, outputTokens: 0, n: 1 }, model)
    expect(hold).toBe(337_500n)
    for (const [cachedInputTokens, cacheWriteTokens] of [
      [0, 0],
      [90_000, 0],
      [0, 90_000],
      [45_000, 45_000],
    ] as const)
      expect(creditsForTokens({ ...usage, cachedInputTokens, cacheWriteTokens }, model)).toBeLessThanOrEqual(hold)
  })
  test('costs the operator its own price too', () => {
    const registry = { usdPer1mInput: 3, usdPer1mOutput: 15, usdPer1mCachedInput: 0.3 }
    expect(usdForTokens({ ...usage, outputTokens: 1_000 }, registry)).toBeCloseTo(0.003 + 0.0267 + 0.015, 10)
  })
})
