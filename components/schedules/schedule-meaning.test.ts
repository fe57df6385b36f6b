import { expect, test } from 'vitest'
import type { PriceInfo } from '../price/shape'
import { NINE_DAILY, type Preset } from './preset'
import { runsAMonth, scheduleMeaning } from './schedule-meaning'

const price = { most: 500, typical: null, basis: 'limit', creditsPerUsd: 1_000 } as unknown as PriceInfo
const nextRuns = ['2026-11-27T08:00:00Z', '2026-11-28T08:00:00Z', '2026-11-29T08:00:00Z', '2026-11-30T08:00:00Z']
const meaning = (of: { preset?: Preset; nextRuns?: string[] | null; price?: PriceInfo; runLimit?: number }) =>
  Object.fromEntries(
    scheduleMeaning({ preset: NINE_DAILY, timeZone: 'Europe/Berlin', nextRuns, price, runLimit: null, ...of }),
  )

test('a schedule says its next three times in its zone, and what its runs may cost', () => {
  expect(meaning({})).toEqual({
    Runs: 'Every day at 09:00, Europe/Berlin',
    'Next times': 'Fri 27 Nov, 09:00\nSat 28 Nov, 09:00\nSun 29 Nov, 09:00',
    'One run': 'Up to 500 credits',
    'A month': 'About 30 runs: up to 15\u202f000 credits, ≈ $15.00',
    'If runs fail': 'After three in a row the schedule is paused',
  })
})

test('the spend limit of its runs counts where it is lower than what the key allows', () => {
  expect(meaning({ runLimit: 200 })).toMatchObject({
    'One run': 'Up to 200 credits',
    'A month': 'About 30 runs: up to 6\u202f000 credits, ≈ $6.00',
  })
  expect(meaning({ runLimit: 501 })['One run']).toBe('Up to 500 credits')
})

test('what is not known yet is not said', () => {
  const custom = { ...NINE_DAILY, kind: 'custom' as const }
  expect(meaning({ preset: custom, nextRuns: null, price: undefined })).toMatchObject({
    'Next times': 'Once the times are known',
    'One run': 'Its price is not known yet',
    'A month': 'Once the times are known',
  })
  expect(meaning({ preset: { ...NINE_DAILY, time: '' } }).Runs).toBe('Enter a time')
  expect(meaning({ preset: { ...NINE_DAILY, kind: 'monthly' }, price: undefined })['A month']).toBe('About 1 run')
})

test.each([
  [['2026-11-27T08:00:00Z', '2026-11-27T20:00:00Z'], 60],
  [['2026-11-27T08:00:00Z', '2027-11-27T08:00:00Z'], 1],
  [['2026-11-27T08:00:00Z'], null],
])('runs of a cron expression with the times %j are about %s a month', (times, runs) => {
  expect(runsAMonth({ kind: 'custom' }, times)).toBe(runs)
})
