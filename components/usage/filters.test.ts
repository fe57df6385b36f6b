import { expect, test } from 'vitest'
import { urlWith } from '../ui/list-url'
import { callFilterOf, rangeOf } from './filters'
import { parseUsageFilters } from './parse-filters'

test('filters survive the way through a URL', () => {
  const filters = {
    keyId: 7,
    what: 'web_search',
    channel: 'mcp' as const,
    status: 'failed' as const,
    from: '2026-11-01',
    to: '2026-11-21',
    job: '0199c5f0-5a30-7000-8000-000000000000',
    by: 'key' as const,
    group: 'job' as const,
  }
  const url = new URL(urlWith('/usage', filters), 'http://here')
  expect(parseUsageFilters(Object.fromEntries(url.searchParams))).toEqual(filters)
})

test('invalid filters are ignored, the others apply', () => {
  const params = {
    keyId: 'x',
    status: 'great',
    job: '7',
    range: 'century',
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
  expect(urlWith('/usage', {})).toBe('/usage')
})

test('earlier links to calls that were not charged still work', () => {
  expect(parseUsageFilters({ status: 'void' })).toEqual({ status: 'failed_free' })
})

test('30 days are shown unless others are asked for, or one call or job is', () => {
  expect(callFilterOf({})).toEqual({ range: '30d' })
  expect(callFilterOf({ range: 'all', keyId: 7 })).toEqual({ keyId: 7 })
  expect(callFilterOf({ range: 'today', from: '2026-11-01' })).toEqual({ from: '2026-11-01' })
  expect(rangeOf({ job: '0199c5f0-5a30-7000-8000-000000000000' })).toBe('all')
})
