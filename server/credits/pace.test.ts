import { expect, test } from 'vitest'
import { paceOf } from './pace'

const days = (...of: number[]) => [...Array.from({ length: 7 - of.length }, () => 0), ...of]

test('without calls, or with calls of the last hours alone, nothing is said', () => {
  expect(paceOf(1_000, { perDay: days(), latest: 0 })).toEqual({ daysLeft: null, of: 'unused' })
  expect(paceOf(1_000, { perDay: days(60), latest: 60 })).toEqual({ daysLeft: null, of: 'new' })
})

test('the days since calls began count, not those before', () => {
  expect(paceOf(1_000, { perDay: days(100, 100), latest: 0 })).toEqual({ daysLeft: 10, of: 'days' })
  expect(paceOf(1_000, { perDay: days(100, 0, 0, 0, 0, 0, 40), latest: 5 })).toEqual({ daysLeft: 50, of: 'days' })
})

test('hours that cost more than twice as much as the days are the pace', () => {
  expect(paceOf(1_000, { perDay: days(100, 100, 100, 100, 100, 100, 200), latest: 100 })).toEqual({
    daysLeft: 1.25,
    of: 'hours',
  })
  expect(paceOf(1_000, { perDay: days(400, 400, 400, 400, 400, 400, 400), latest: 50 }).of).toBe('days')
})
