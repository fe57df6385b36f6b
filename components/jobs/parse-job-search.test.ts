import { expect, test } from 'vitest'
import { parseJobSearch } from './parse-job-search'

test('a URL is a filter, an order and a place', () => {
  const url = 'q=coin&status=failed&keyId=7&mode=interactive&origin=schedule&sort=credits&order=asc&cursor=abc'
  expect(parseJobSearch(Object.fromEntries(new URLSearchParams(url)), 'UTC').query).toEqual({
    ...{ q: 'coin', status: 'failed', keyId: 7, mode: 'interactive', origin: 'schedule' },
    ...{ sort: 'credits', order: 'asc', cursor: 'abc' },
  })
})

test('what is not valid is ignored', () => {
  const url = {
    q: 'a\0b',
    status: 'great',
    keyId: '0',
    mode: ['a'],
    sort: 'x',
    from: '2026-13-99',
    range: 'ever',
    to: '',
  }
  expect(parseJobSearch(url, 'UTC')).toEqual({ query: { sort: 'created', order: 'desc' }, range: undefined })
})

test('a range begins on a day', () => {
  const { query, range } = parseJobSearch({ range: 'month', to: '2026-01-01' }, 'UTC')
  expect([range, query.to, query.from]).toEqual(['month', undefined, expect.stringMatching(/-01$/)])
})
