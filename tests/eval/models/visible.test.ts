import { expect, test } from 'vitest'
import { resultText } from '../../../server/agent/run/result-text'
import { visibleField, visibleRows } from './visible'

const ROWS = Array.from({ length: 9 }, (_, id) => ({ id, text: `a "quoted" } brace ${id}\nand a line` }))
const WHOLE = resultText({ total: 9, rows: ROWS, nextCursor: 'x' })

test('every row of a whole result is visible, of a cut one those before the cut', () => {
  expect(visibleRows(WHOLE)).toEqual(ROWS)
  expect(visibleRows(WHOLE.split('\n').slice(0, 4).join('\n'))).toEqual(ROWS.slice(0, 2))
  expect(visibleRows(resultText({ segments: ROWS }), 'segments')).toEqual(ROWS)
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
