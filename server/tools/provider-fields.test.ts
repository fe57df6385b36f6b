import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  lenientEpochMs,
  lenientEpochS,
  lenientFlag,
  lenientId,
  lenientInteger,
  lenientList,
  lenientNumber,
  lenientObject,
  lenientString,
  lenientText,
  lenientTime,
  lenientUrl,
} from './provider-fields'

const ODD_VALUES = [undefined, null, {}, []]

describe('a value that is missing, null or of another type', () => {
  test.each([
    ['lenientNumber', lenientNumber],
    ['lenientInteger', lenientInteger],
    ['lenientString', lenientString],
    ['lenientText', lenientText],
    ['lenientId', lenientId],
    ['lenientUrl', lenientUrl],
    ['lenientTime', lenientTime],
    ['lenientEpochMs', lenientEpochMs],
    ['lenientEpochS', lenientEpochS],
  ])('is null: %s', (_name, field) => {
    for (const value of ODD_VALUES) expect(field.parse(value)).toBeNull()
  })

  test('is null for a whole object, and false for a flag', () => {
    expect(lenientObject({ a: z.string() }).parse({ a: 1 })).toBeNull()
    for (const value of ODD_VALUES) expect(lenientFlag.parse(value)).toBe(false)
  })

  test('does not lose the other fields', () => {
    const shape = z.object({ id: z.string(), score: lenientNumber, url: lenientUrl })
    expect(shape.parse({ id: 'a', score: '7' })).toEqual({ id: 'a', score: null, url: null })
  })
})

test.each([
  [lenientInteger, 1.5, null],
  [lenientText, ' a ', 'a'],
  [lenientText, ' ', null],
  [lenientString, '', ''],
  [lenientId, 7, '7'],
  [lenientUrl, 'javascript:alert(1)', null],
  [lenientUrl, 'https://example.com/a', 'https://example.com/a'],
  [lenientTime, '2018-06-19T12:41:34-07:00', '2018-06-19T19:41:34.000Z'],
  [lenientTime, new Date(0), '1970-01-01T00:00:00.000Z'],
  [lenientTime, 'yesterday', null],
  [lenientTime, '+010000-01-01T00:00:00Z', null],
  [lenientEpochMs, 1_000, '1970-01-01T00:00:01.000Z'],
  [lenientEpochS, 1.5, '1970-01-01T00:00:01.500Z'],
  [lenientEpochS, 0, null],
  [lenientEpochS, 1e300, null],
])('%# a field reads %j', (field, value, expected) => {
  expect(field.parse(value)).toBe(expected)
})

test('a list keeps its readable items', () => {
  expect(lenientList(z.number()).parse([1, 'x', null, 2])).toEqual([1, 2])
  expect(lenientList(z.number()).parse('none')).toEqual([])
})
