import { expect, test } from 'vitest'
import { withFilters } from './filters'
import { readFilters } from './read-filters'

test('an address and its filters are the same thing twice', () => {
  const filters = { keyId: 7, what: 'web_search', status: 'failed' as const, from: '2026-11-01', to: '2026-11-21' }
  const url = new URL(withFilters('/usage', filters), 'http://here')
  expect(readFilters(Object.fromEntries(url.searchParams))).toEqual(filters)
})

test('what makes no sense is left out, the rest holds', () => {
  const params = {
    keyId: 'x',
    status: 'great',
    from: '2026-13-99',
    to: '',
    product: ['tool', 'chat'],
    what: 'web_search',
  }
  expect(readFilters(params)).toEqual({ what: 'web_search' })
})

test('without filters the address is bare', () => {
  expect(withFilters('/usage', {})).toBe('/usage')
})
