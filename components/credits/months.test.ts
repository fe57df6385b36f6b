import { expect, test } from 'vitest'
import { monthName, monthsUntil } from './months'

test('months go back over the turn of a year, each with its name', () => {
  expect(monthsUntil('2026-02', 4)).toEqual(['2026-02', '2026-01', '2025-12', '2025-11'])
  expect(monthsUntil('2026-11', 24).at(-1)).toBe('2024-12')
  expect(monthName('2025-12')).toBe('December 2025')
})
