import { expect, test } from 'vitest'
import { readJsonBytes } from './read-json'

const BOUNDS = { items: 4, keys: 3, values: 9 }
const read = (text: string) => readJsonBytes(Buffer.from(text), BOUNDS)

test('JSON within its bounds is its value, with the number of its texts, keys, lists and objects', () => {
  expect(read(' {"a": [1, "x", {}], "b": "ü"} ')).toEqual({
    kind: 'read',
    value: { a: [1, 'x', {}], b: 'ü' },
    values: 7,
  })
  expect(read('1')).toEqual({ kind: 'read', value: 1, values: 0 })
})

test.each([
  ['a list', '[1,1,1,1]', '[1,1,1,1,1]', 'more than 4 items'],
  ['a list in a list', '[[1,1,1,1]]', '[[1],[1,1,1,1,1]]', 'more than 4 items'],
  ['an object', '{"a":1,"b":1,"c":1}', '{"a":1,"b":1,"c":1,"d":1}', 'more than 3 items'],
  ['all values together', '["a","b",[["c"],["d"],[]]]', '["a","b",[["c"],["d"],["e"]]]', 'more than 9 values'],
])('%s may be as large as its bound, and not larger', (_name, within, beyond, why) => {
  expect(read(within)).toMatchObject({ kind: 'read', value: JSON.parse(within) })
  expect(read(beyond)).toEqual({ kind: 'refused', why: expect.stringContaining(why) })
})

test('what is in a text has no structure', () => {
  const text = String.raw`["[[[[[[[[[[{{{{,,,,,,,,\"[,,,,,", "\\", "\\\"]"]`
  expect(read(text)).toMatchObject({ value: JSON.parse(text), values: 4 })
})

test('nesting has a bound of its own', () => {
  const nested = (levels: number) =>
    readJsonBytes(Buffer.from('['.repeat(levels) + ']'.repeat(levels)), { items: 1e6, keys: 1e6, values: 1e6 })
  expect(nested(200).kind).toBe('read')
  expect(nested(201)).toEqual({ kind: 'refused', why: 'is nested too deeply' })
})

test.each([
  ['', 'is empty'],
  ['{', 'is not valid JSON'],
  [']]]]', 'is not valid JSON'],
  ['"\\', 'is not valid JSON'],
  ['"open', 'is not valid JSON'],
])('%j %s', (text, why) => {
  expect(read(text)).toEqual({ kind: 'refused', why })
})

test('bytes that are not UTF-8 are refused', () => {
  expect(readJsonBytes(Buffer.from([0x22, 0xff, 0x22]), BOUNDS).kind).toBe('refused')
})
