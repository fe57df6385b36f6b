import { expect, test } from 'vitest'
import { missingFields, missingLines } from './shown-in'

test('an answer may have more than is shown, but not less', () => {
  expect(missingFields({ a: 1, list: [{ b: '…' }] }, { a: 7, list: [{ b: 'x', c: 1 }, {}], more: true })).toEqual([])
  expect(missingFields({ a: 1, list: [{ b: '…' }] }, { list: [{ b: 2 }] })).toEqual([
    'a: missing',
    'list[0].b: string, came number',
  ])
  expect(missingFields({ list: [1, 2] }, { list: [1] })).toEqual(['list: 2 items, came 1'])
  expect(missingFields({ a: {} }, { a: [] })).toEqual(['a: object, came list'])
})

test('a value may be absent on either side', () => {
  expect(missingFields({ a: null, b: 1 }, { a: 1, b: null })).toEqual([])
  expect(missingFields({}, null)).toEqual(['all: object, came null'])
})

test('lines are compared by their first words', () => {
  const stream = 'event: step\ndata: {"index": 0}\n\nevent: status\n'
  expect(missingLines('event: step\ndata: {…}', stream)).toEqual([])
  expect(missingLines('id: 7\ndata: {…}', stream)).toEqual(['id:'])
})
