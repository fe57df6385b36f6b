import { expect, test } from 'vitest'
import { visibleField, visibleRows } from './visible'

const ROWS = Array.from({ length: 9 }, (_, id) => ({ id, text: `a "quoted" } brace ${id}` }))
const WHOLE = JSON.stringify({ total: 9, rows: ROWS, nextCursor: null })

test('every row of a whole result is visible, of a cut one those before the cut', () => {
  expect(visibleRows(WHOLE)).toEqual(ROWS)
  const cut = `${WHOLE.slice(0, 120)}\n[… left out …]\n${WHOLE.slice(-60)}`
  expect(visibleRows(cut)).toEqual(ROWS.slice(0, 2))
  expect(visibleRows(JSON.stringify({ segments: ROWS }), 'segments')).toEqual(ROWS)
})

test('a text without rows has none', () => {
  expect(visibleRows('Error (upstream_error): nothing')).toEqual([])
  expect(visibleRows('{"rows":[]}')).toEqual([])
})

test('fields are texts and numbers; what was cut is not there', () => {
  expect(visibleField('{"a":"x \\"y\\"","n":-1.5}', 'a')).toBe('x "y"')
  expect(visibleField('{"a":"x","n":-1.5}', 'n')).toBe(-1.5)
  expect(visibleField('{"a":"x', 'a')).toBeNull()
})
