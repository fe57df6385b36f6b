import { expect, test } from 'vitest'
import { findMainList, findMainPart, formatPath, valueAt } from './json-path'

const result = { rows: [{ title: 'a', 'geo.lat': 1 }, { title: 'b' }], total: 2 }

test.each([
  ['rows', result.rows],
  ['rows[1].title', 'b'],
  ['$.rows.0.title', 'a'],
  ['rows.0.geo.lat', 1],
  ["rows[0]['title']", 'a'],
  ['', result],
  ['rows.2', undefined],
  ['rows.length', undefined],
  ['constructor', undefined],
  ['total.x', undefined],
])('%j leads to its value', (path, value) => {
  expect(valueAt(result, path)).toEqual(value)
})

test('the main list is the rows, or the longest list of records, whatever stands beside it', () => {
  const columns = ['a', 'b', 'c']
  expect(findMainList({ columns, rows: [{ a: 1 }] })?.path).toEqual(['rows'])
  expect(findMainList({ columns, rows: [] })).toEqual({ path: ['rows'], list: [] })
  expect(findMainList({ page: { columns, hits: [{ a: 1 }] } })?.path).toEqual(['page', 'hits'])
  expect(findMainList({ columns, more: ['x'] })?.path).toEqual(['columns'])
})

test('the main list is the longest outside of other lists', () => {
  expect(findMainList({ run: { tags: [1] }, rows: [[1, 2, 3], 2] })).toEqual({ path: ['rows'], list: [[1, 2, 3], 2] })
  expect(findMainList({ text: 'a' })).toBeNull()
})

test('the main part is what makes up most of a value', () => {
  const { path, value } = findMainPart({ url: 'u', page: { markdown: 'long text '.repeat(9) } })
  expect(formatPath(path)).toBe('page.markdown')
  expect(value).toMatch(/^long text/)
  expect(findMainPart({ a: 1, b: 2, c: 3 })).toEqual({ path: [], value: { a: 1, b: 2, c: 3 } })
})
