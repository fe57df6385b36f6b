import { expect, test } from 'vitest'
import { formatCredits, formatUsd } from './amount'

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1\u202f000'],
  [1234567, '1\u202f234\u202f567'],
  [-4200, '−4\u202f200'],
])('%i credits are formatted as %s', (credits, text) => {
  expect(formatCredits(credits)).toBe(text)
})

test.each([
  [0, '$0.00'],
  [2778, '$1.00'],
  [16, '$0.0058'],
  [1000, '$0.36'],
  [2_778_000_000, '$1,000,000.00'],
])('%i credits are %s at 2778 a dollar', (credits, text) => {
  expect(formatUsd(credits, 2778)).toBe(text)
})
