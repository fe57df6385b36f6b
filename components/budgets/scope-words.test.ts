import { expect, test } from 'vitest'
import { scopeWords } from './scope-words'

test('a scope is said in words, field by field', () => {
  expect(
    scopeWords({
      products: ['tool', 'agent'],
      tools: ['web_*'],
      models: ['a/*', 'b/c'],
      tags: ['shop'],
      keys: [1],
      members: [3, 4],
      customers: 'each',
    }),
  ).toEqual(['Tools, Agent runs', 'web_*', 'a/*, b/c', 'keys tagged shop', '1 key', '2 members', 'each customer'])
  expect(scopeWords({ customers: ['Olbia', 'Ada'] })).toEqual(['Olbia, Ada'])
  expect(scopeWords({ customers: ['a', 'b', 'c', 'd'] })).toEqual(['4 customers'])
  expect(scopeWords({})).toEqual([])
})
