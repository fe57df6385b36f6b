import { expect, test } from 'vitest'
import { likePatterns, searchWords } from './search-words'

test('a search is its words in lower case, eight at most', () => {
  expect(searchWords('  Night   RESEARCH ')).toEqual(['night', 'research'])
  expect(searchWords('a\0b')).toEqual(['ab'])
  expect(searchWords('a b c d e f g h i j')).toHaveLength(8)
  expect(searchWords('   ')).toEqual([])
})

test('what LIKE reads as a pattern is escaped', () => {
  expect(likePatterns(['50%', 'a_b', 'c\\d'])).toEqual(['%50\\%%', '%a\\_b%', '%c\\\\d%'])
})
