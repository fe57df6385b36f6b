import { expect, test } from 'vitest'
import { formatCredits, formatUsd } from './amount'
import { formatDuration, formatRelativeTime } from './time-ago'

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

const now = new Date('2026-11-21T12:00:00Z')
test.each([
  ['2026-11-21T11:59:57Z', 'now'],
  ['2026-11-21T11:59:00Z', '1 min. ago'],
  ['2026-11-21T09:00:00Z', '3 hr. ago'],
  ['2026-11-20T09:00:00Z', 'yesterday'],
  ['2026-11-23T12:00:00Z', 'in 2 days'],
  ['2024-11-01T12:00:00Z', '2 yr. ago'],
])('%s is formatted as %s', (at, text) => {
  expect(formatRelativeTime(new Date(at), now)).toBe(text)
})

test.each([
  [80, '80 ms'],
  [2345, '2.3 s'],
  [59_960, '1 min 0 s'],
  [61_000, '1 min 1 s'],
  [119_700, '2 min 0 s'],
])('%i ms are formatted as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})
