import { describe, expect, it, test } from 'vitest'
import { parseRetryAfter, toRetryAfter } from './retry-after'

const NOW = Date.parse('2026-03-01T00:00:00Z')

describe('parseRetryAfter', () => {
  it.each([
    ['0', 0],
    ['7', 7],
    [' 2.5 ', 2.5],
    ['90000', 3600],
    ['Sun, 01 Mar 2026 00:00:30 GMT', 30],
    ['Sat, 28 Feb 2026 00:00:00 GMT', 0],
  ])('reads %s', (header, seconds) => {
    expect(parseRetryAfter(header, NOW)).toBe(seconds)
  })

  it.each([undefined, '', 'soon', '-5', '1e3', 'Sun, later'])('returns null for %s', (header) => {
    expect(parseRetryAfter(header, NOW)).toBeNull()
  })

  it('takes the first of several headers', () => {
    expect(parseRetryAfter(['3', '9'], NOW)).toBe(3)
  })
})

test('toRetryAfter rounds up to whole seconds, at least one', () => {
  expect([0, 0.2, 1.01, 60].map(toRetryAfter)).toEqual([1, 1, 2, 60])
})
