import { expect, test } from 'vitest'
import { urlWithFilters } from './filters'
import { parseUsageFilters } from './parse-filters'

test('filters survive the way through a URL', () => {
  const filters = { keyId: 7, what: 'web_search', status: 'failed' as const, from: '2026-11-01', to: '2026-11-21' }
  const url = new URL(urlWithFilters('/usage', filters), 'http://here')
  expect(parseUsageFilters(Object.fromEntries(url.searchParams))).toEqual(filters)
})

test('invalid filters are ignored, the others apply', () => {
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
  '%j, which the database would reject, is ignored',
  (params) => {
    expect(parseUsageFilters(params)).toEqual({})
  },
)

test('without filters the URL has no query', () => {
  expect(urlWithFilters('/usage', {})).toBe('/usage')
})
