import { expect, test } from 'vitest'
import { firstDayOf, isJobRange } from './job-range'

const now = new Date('2026-03-01T02:00:00Z')

test.each([
  ['today', 'UTC', '2026-03-01'],
  ['today', 'America/New_York', '2026-02-28'],
  ['week', 'UTC', '2026-02-23'],
  ['days30', 'UTC', '2026-01-31'],
  ['month', 'America/New_York', '2026-02-01'],
  ['month', 'Asia/Tokyo', '2026-03-01'],
] as const)('%s in %s begins on %s', (range, zone, day) => {
  expect(firstDayOf(range, zone, now)).toBe(day)
})

test('other texts are no range', () => {
  expect(['today', 'ever', undefined, 3].map(isJobRange)).toEqual([true, false, false, false])
})
