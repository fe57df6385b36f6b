import { expect, test } from 'vitest'
import { dayIn, endOfDay } from './end-of-day'

test.each([
  ['2026-11-22', 'UTC', '2026-11-22T23:59:59.000Z'],
  ['2026-11-22', 'Europe/Berlin', '2026-11-22T22:59:59.000Z'],
  ['2026-11-22', 'America/Los_Angeles', '2026-11-23T07:59:59.000Z'],
  ['2026-11-22', 'Pacific/Kiritimati', '2026-11-22T09:59:59.000Z'],
  // The days on which the clocks change.
  ['2026-10-25', 'Europe/Berlin', '2026-10-25T22:59:59.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-29T21:59:59.000Z'],
])('%s ends in %s at %s', (day, zone, at) => {
  expect(endOfDay(day, zone)?.toISOString()).toBe(at)
  expect(dayIn(at, zone)).toBe(day)
})

test('what is not a day has no end', () => {
  expect(endOfDay('', 'UTC')).toBeNull()
  expect(endOfDay('2026-13-45', 'UTC')).toBeNull()
})
