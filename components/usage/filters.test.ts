import { expect, test } from 'vitest'
import { urlWithFilters } from './filters'
import { parseUsageFilters } from './parse-filters'

test('an address and its filters are the same thing twice', () => {
  const filters = { keyId: 7, what: 'web_search', status: 'failed' as const, from: '2026-11-01', to: '2026-11-21' }
  const url = new URL(urlWithFilters('/usage', filters), 'http://here')
  expect(parseUsageFilters(Object.fromEntries(url.searchParams))).toEqual(filters)
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
  expect(parseUsageFilters(params)).toEqual({ what: 'web_search' })
})

test.each([{ keyId: '99999999999' }, { keyId: '0' }, { keyId: '1.5' }, { what: 'a\0b' }])(
  '%j, which the database could not take, is left out',
  (params) => {
    expect(parseUsageFilters(params)).toEqual({})
  },
)

test('without filters the address is bare', () => {
  expect(urlWithFilters('/usage', {})).toBe('/usage')
})
