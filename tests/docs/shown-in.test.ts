import { expect, test } from 'vitest'
import { differences, missingLines } from './shown-in'

test('an answer may have more than is shown, but not less', () => {
  expect(differences({ a: 1, list: [{ b: '…' }] }, { a: 1, list: [{ b: 'x', c: 1 }, {}], more: true })).toEqual([])
  expect(differences({ a: 1, list: [{ b: '…' }] }, { list: [{ b: 2 }] })).toEqual([
    'a: missing',
    'list[0].b: string, came number',
  ])
  expect(differences({ list: [1, 2] }, { list: [1] })).toEqual(['list: 2 items, came 1'])
  expect(differences({ a: {} }, { a: [] })).toEqual(['a: object, came list'])
  expect(differences({ a: null, b: 1 }, { a: 1, b: null })).toEqual(['a: null, came number', 'b: number, came null'])
})

test('values are those that are shown', () => {
  expect(differences({ usd: 1, isLive: false }, { usd: 104_250, isLive: true })).toEqual([
    'usd: 1, came 104250',
    'isLive: false, came true',
  ])
  expect(differences({ durationMs: 37, id: 4 }, { durationMs: 92, id: 11 })).toEqual([])
  expect(differences({ v: [0.38] }, { v: [0.3817] })).toEqual([])
  expect(differences({ v: [0.38, 2] }, { v: [0.3717, 2.4] })).toEqual(['v[0]: 0.38, came 0.3717', 'v[1]: 2, came 2.4'])
  expect(differences({ id: 'x' }, { id: 'y' })).toEqual(['id: "x", came "y"'])
})

test.each([
  ['bitcoin … $104,250…', 'bitcoin costs $104,250 now', true],
  ['bitcoin … $104,250…', 'costs bitcoin $1', false],
  ['…say…', 'nothing', false],
  ['/tasks/01a203cf-…', '/tasks/01a2150f-d7d0-7500-8e6a-a0e80f6ea7d2', true],
  ['2026-11-24T12:00:00.000Z', '2027-01-01T00:00:00.123Z', true],
  ['2026-11-24', '2027-01-01T00:00:00.123Z', false],
])('“%s” is shown of “%s”: %s', (shown, text, isSame) => {
  expect(differences({ shown }, { shown: text }).length === 0).toBe(isSame)
})

test('lines are compared by their first words', () => {
  const stream = 'event: step\ndata: {"index": 0}\n\nevent: status\n'
  expect(missingLines('event: step\ndata: {…}', stream)).toEqual([])
  expect(missingLines('id: 7\ndata: {…}', stream)).toEqual(['id:'])
})
