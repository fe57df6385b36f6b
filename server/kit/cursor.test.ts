import { expect, test } from 'vitest'
import { decodeCursor, decodeSortedCursor, encodeCursor, encodeSortedCursor, paginate } from './cursor'

const at = new Date('2026-11-21T01:02:03.456Z')

test('a cursor is opaque, fits a URL and leads back to its position', () => {
  const cursor = encodeCursor({ at, id: 'abc' })
  expect(cursor).toMatch(/^[\w-]+$/)
  expect(decodeCursor(cursor)).toEqual({ at, id: 'abc' })
})

const made = (text: string) => Buffer.from(text).toString('base64url')
test.each([
  '',
  'x',
  '%%%',
  made('nonsense'),
  made('2026-11-21T01:02:03.456Z'),
  made('2026-11-21T01:02:03.456Z '),
  made('2026-11-21T01:02:03.456Z a b'),
  made('yesterday a'),
  made('2026-13-41T00:00:00.000Z a'),
  made('+275760-09-13T00:00:00.000Z a'),
  made('-271821-04-20T00:00:00.000Z a'),
  made('0000-01-01T00:00:00.000Z a'),
])('%j is not a valid cursor', (cursor) => {
  expect(decodeCursor(cursor)).toBeNull()
})

test.each([
  ['spent desc', 'number', '-12'],
  ['name asc', 'text', 'A key  of mine'],
  ['created desc', 'time', '2026-11-21T01:02:03.456Z'],
] as const)('a cursor of a list by %s leads back to its position there only', (order, values, value) => {
  const cursor = encodeSortedCursor(order, { value, id: '7' })
  expect(decodeSortedCursor(cursor, { order, values })).toEqual({ value, id: '7' })
  expect(decodeSortedCursor(cursor, { order: 'spent asc', values })).toBeNull()
})

test.each([
  ['number', '9223372036854775808'],
  ['number', '1e3'],
  ['number', ''],
  ['text', 'a\0b'],
  ['time', 'yesterday'],
  ['time', '2026-13-41T00:00:00.000Z'],
] as const)('a %s is not %j', (values, value) => {
  expect(decodeSortedCursor(made(`by asc 7 ${value}`), { order: 'by asc', values })).toBeNull()
})

test('a page has its limit of rows, and a cursor only when more follow', () => {
  const rows = [3, 2, 1].map((n) => ({ n }))
  const cut = (limit: number) => paginate(rows, limit, ({ n }) => ({ at, id: String(n) }))
  expect(cut(2)).toEqual({ rows: [{ n: 3 }, { n: 2 }], nextCursor: encodeCursor({ at, id: '2' }) })
  expect(cut(3)).toEqual({ rows, nextCursor: null })
  expect(cut(4)).toEqual({ rows, nextCursor: null })
  expect(paginate([], 2, () => ({ at, id: '' }))).toEqual({ rows: [], nextCursor: null })
})
