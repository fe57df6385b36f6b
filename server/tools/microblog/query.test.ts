import { expect, test } from 'vitest'
import { toSearchOperators, unknownFilters } from './query'

test.each([
  ['from:nasa filter:links lang:en', 'from:nasa has:links lang:en'],
  ['cats -filter:replies', 'cats -is:reply'],
  ['cats exclude:retweets', 'cats -is:retweet'],
  ['cats -exclude:retweets', 'cats is:retweet'],
  ['(FILTER:Images OR filter:native_video) cats', '(has:images OR has:videos) cats'],
  ['"filter:links" cats', '"filter:links" cats'],
  ['has:links prefilter:links', 'has:links prefilter:links'],
])('%s → %s', (query, operators) => {
  expect(toSearchOperators(query)).toBe(operators)
  expect(unknownFilters(query)).toEqual([])
})

test('words without an operator are named, and those in quotes are ignored', () => {
  expect(unknownFilters('filter:follows -filter:constructor "filter:x" filter:links')).toEqual([
    'follows',
    'constructor',
  ])
})
