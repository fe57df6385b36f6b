import { expect, test } from 'vitest'
import { creditsForUsd } from './price'

const at = (CREDITS_PER_USD: number, MARKUP: number) => ({ CREDITS_PER_USD, MARKUP }) as never

test.each([
  [0, 2778, 1.2, 0n],
  [1, 2778, 1, 2778n],
  [1, 2778, 1.2, 3334n],
  [0.0001, 2778, 1, 1n],
  [0.8, 2778, 1.2, 2667n],
  [25, 2778, 1.2, 83_340n],
])('%d USD at %d credits per USD and markup %d are %d credits', (usd, perUsd, markup, credits) => {
  expect(creditsForUsd(usd, at(perUsd, markup))).toBe(credits)
})

test('rounding errors of binary fractions do not round a whole number up', () => {
  expect(creditsForUsd(0.1 + 0.2, at(1000, 1))).toBe(300n)
  expect(creditsForUsd(1.1, at(1000, 1.1))).toBe(1210n)
})

test('any fraction of a credit is rounded up', () => {
  expect(creditsForUsd(0.000_001, at(2778, 1))).toBe(1n)
  expect(creditsForUsd(1.001, at(1000, 1))).toBe(1001n)
  expect(creditsForUsd(1.0011, at(1000, 1))).toBe(1002n)
})

test('a negative cost is 0, and a cost beyond the maximum is the maximum', () => {
  expect(creditsForUsd(-5, at(2778, 1.2))).toBe(0n)
  expect(creditsForUsd(Number.POSITIVE_INFINITY, at(2778, 1.2))).toBe(BigInt(Number.MAX_SAFE_INTEGER))
  expect(creditsForUsd(1e300, at(2778, 1.2))).toBe(BigInt(Number.MAX_SAFE_INTEGER))
})

test('NaN is refused', () => {
  expect(() => creditsForUsd(Number.NaN, at(2778, 1.2))).toThrow(RangeError)
})
