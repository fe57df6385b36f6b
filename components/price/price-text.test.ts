import { expect, test } from 'vitest'
import { fittedText, priceText, shortText, spendLabel, spokenPrice, typicalText } from './price-text'
import type { PriceInfo } from './shape'

const price = (given: Partial<PriceInfo> = {}): PriceInfo => ({
  most: 1_112,
  typical: 900,
  basis: 'receipts',
  available: 5_000,
  isShort: false,
  mustConfirm: false,
  creditsPerUsd: 2_778,
  ...given,
})

test.each([
  [price(), 'up to 1\u202f112 credits', 'usually 900'],
  [price({ most: 3, typical: 3, basis: 'price' }), '3 credits', null],
  [price({ most: 1, typical: 1, basis: 'price' }), '1 credit', null],
  [price({ most: 40, typical: 40, basis: 'estimate' }), 'up to 40 credits', null],
  [price({ typical: null }), 'up to 1\u202f112 credits', null],
  [price({ most: null, typical: 30 }), null, 'usually 30'],
  [
    price({ range: { from: 120, to: 350, basis: 'history', runs: 14 } }),
    'up to 1\u202f112 credits',
    'about 120 to 350, as your last 14 runs did',
  ],
  [
    price({ typical: null, range: { from: 75, to: 9_000, basis: 'tokens', runs: 2 } }),
    'up to 1\u202f112 credits',
    'about 75 to 1\u202f112, by the price of tokens',
  ],
  [
    price({ most: 1, typical: null, range: { from: 1, to: 12, basis: 'tokens', runs: 0 } }),
    'up to 1 credit',
    'about 1, by the price of tokens',
  ],
  [
    price({ range: { from: 120, to: 350, basis: 'history', runs: 14 }, judges: 2 }),
    'up to 1\u202f112 credits',
    'about 120 to 350, as your last 14 runs did, 2 judges included',
  ],
])('the highest and the usual price are said once each', (of, most, typical) => {
  expect([priceText(of), typicalText(of)]).toEqual([most, typical])
})

test('a button carries the price, and only its verb while nobody knows it', () => {
  expect(spendLabel('Run', price(), 'Run tool')).toBe('Run for up to 1\u202f112 credits')
  expect(spendLabel('Run', price({ most: null }), 'Run tool')).toBe('Run tool')
  expect(spendLabel('Start run', undefined)).toBe('Start run')
})

test('what a call changes is said per parameter', () => {
  const fitted = [
    { param: 'durationSeconds', asked: '7 s', becomes: '8 s' },
    { param: 'resolution', asked: '480p', becomes: '720p' },
  ]
  expect(fittedText(fitted)).toBe('durationSeconds: 7 s becomes 8 s; resolution: 480p becomes 720p')
  expect(spokenPrice(price({ fitted }))).toContain('resolution: 480p becomes 720p')
})

test('a shortage names what is short', () => {
  expect(shortText(price())).toBeNull()
  expect(shortText(price({ isShort: true, available: 10 }))).toBe(
    'Your balance has 10 credits free, which is not enough.',
  )
  expect(shortText(price({ isShort: true, available: 1, limitedBy: 'key_budget' }))).toMatch(/^The key’s budget has 1 /)
  expect(spokenPrice(price({ isShort: true, available: 10 }))).toBe(
    'Costs up to 1\u202f112 credits, usually 900. Your balance has 10 credits free, which is not enough.',
  )
})
