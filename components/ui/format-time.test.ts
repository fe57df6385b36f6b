import { expect, test } from 'vitest'
import { formatDuration, formatExactTime, formatRelativeTime } from './format-time'

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

test.each([
  ['2026-11-21T23:30:05Z', 'UTC', '2026-11-21 23:30:05 UTC'],
  ['2026-11-21T23:30:05Z', 'Europe/Berlin', '2026-11-22 00:30:05 CET'],
  ['2026-07-01T12:00:00Z', 'Europe/Berlin', '2026-07-01 14:00:00 CEST'],
  ['2026-11-21T23:30:05Z', 'America/New_York', '2026-11-21 18:30:05 EST'],
  ['2026-11-21T23:30:05Z', 'Asia/Kolkata', '2026-11-22 05:00:05 GMT+5:30'],
])('%s in %s is formatted as %s', (at, zone, text) => {
  expect(formatExactTime(at, zone)).toBe(text)
})
