import { expect, test } from 'vitest'
import { budgetMeaning, type MeantBudget, nextWindow } from './budget-meaning'

const place = { timeZone: 'Europe/Berlin', creditsPerUsd: 1_000, now: new Date('2026-11-27T12:00:00Z') }
const meaning = (of: Partial<MeantBudget>) =>
  Object.fromEntries(budgetMeaning({ credits: 3_000, window: 'month', scope: {}, ...of }, place))

test('a budget says whom it limits, how much that is, and when it begins anew', () => {
  expect(meaning({})).toEqual({
    Limits: 'Every call of the account',
    Allows: '3\u202f000 credits a month, ≈ $3.00\nAbout 100 a day',
    'Begins anew': 'Tue 1 Dec, 00:00, Europe/Berlin',
    'At the limit': expect.stringContaining('refused before it runs'),
  })
  const scope = { products: ['chat' as const], tags: ['shop'], customers: 'each' as const }
  expect(meaning({ window: 'lifetime', scope })).toMatchObject({
    Limits: 'Chat models\nkeys tagged shop\neach customer',
    Allows: '3\u202f000 credits in all, for each customer, ≈ $3.00',
    'Begins anew': 'Never',
  })
  expect(meaning({ credits: Number.NaN }).Allows).toBe('Enter credits')
})

test.each([
  ['day', '2026-11-27T22:59:59Z', '2026-11-27T23:00:00.000Z'],
  ['day', '2026-11-27T23:00:00Z', '2026-11-28T23:00:00.000Z'],
  ['week', '2026-11-27T12:00:00Z', '2026-11-29T23:00:00.000Z'],
  ['week', '2026-11-29T12:00:00Z', '2026-11-29T23:00:00.000Z'],
  ['week', '2026-11-30T12:00:00Z', '2026-12-06T23:00:00.000Z'],
  ['month', '2026-12-31T12:00:00Z', '2026-12-31T23:00:00.000Z'],
  // The clocks change within this one.
  ['month', '2026-03-15T12:00:00Z', '2026-03-31T22:00:00.000Z'],
] as const)('a %s that is at %s begins anew at %s', (window, now, next) => {
  expect(nextWindow(window, 'Europe/Berlin', new Date(now))?.toISOString()).toBe(next)
})
