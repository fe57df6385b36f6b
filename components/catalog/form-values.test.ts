import { describe, expect, test } from 'vitest'
import type { FormField, FormFieldKind } from './form-fields'
import { formToParams, paramsToForm, splitLines } from './form-values'

const field = (kind: FormFieldKind, given: Partial<FormField> = {}): FormField =>
  ({
    name: 'p',
    type: '',
    description: '',
    required: false,
    first: false,
    fallback: null,
    ...kind,
    ...given,
  }) as FormField

const text = field({ kind: 'text', long: false })
const whole = field({ kind: 'number', whole: true, min: 1, max: 100 })
const decimal = field({ kind: 'number', whole: false })
const flag = field({ kind: 'flag' })
const choice = field({ kind: 'choice', options: ['a', 'b'] })
const texts = field({ kind: 'list', of: 'text' })
const numbers = field({ kind: 'list', of: 'number' })
const many = field({ kind: 'many', options: [0, 1, 4] })
const object = field({ kind: 'json', objectOnly: true })
const anything = field({ kind: 'json', objectOnly: false })

test.each([
  [text, ' as typed ', ' as typed '],
  [whole, ' 7 ', 7],
  [decimal, '-0.5', -0.5],
  [decimal, '1e3', 1000],
  [flag, 'true', true],
  [flag, 'false', false],
  [choice, 'b', 'b'],
  [texts, 'one\r\n\n  two ', ['one', 'two']],
  [numbers, '1\n2.5', [1, 2.5]],
  [many, '4\n0', [0, 4]],
  [object, '{"a": [1]}', { a: [1] }],
  [anything, '[1]', [1]],
])('%o, filled with %j, is sent as %j', (of, filled, sent) => {
  expect(formToParams([of], { p: filled })).toEqual({ params: { p: sent }, errors: {} })
})

test.each([
  [whole, '7.5', 'A whole number'],
  [whole, '0', 'From 1 to 100'],
  [whole, '101', 'From 1 to 100'],
  [field({ kind: 'number', whole: false, min: 0 }), '-1', 'At least 0'],
  [field({ kind: 'number', whole: false, max: 25 }), '26', 'At most 25'],
  [whole, 'ten', 'ten is not a number'],
  [decimal, '0x10', '0x10 is not a number'],
  [decimal, 'Infinity', 'Infinity is not a number'],
  [decimal, '1e999', '1e999 is not a number'],
  [numbers, '1\nx', 'x is not a number'],
  [object, '{"a": ', /^Not JSON: /],
  [object, '[]', /^A JSON object/],
  [object, 'null', /^A JSON object/],
])('%o, filled with %j, has the error %s', (of, filled, error) => {
  const { params, errors } = formToParams([of], { p: filled })
  expect(errors.p).toMatch(error)
  expect(params).toEqual({})
})

describe('an empty field', () => {
  const all = [text, whole, flag, choice, texts, many, object]

  test.each(all)('%o is not sent, whatever its default', (of) => {
    expect(formToParams([{ ...of, fallback: 'x' }], {})).toEqual({ params: {}, errors: {} })
    expect(formToParams([of], { p: '' })).toEqual({ params: {}, errors: {} })
  })

  test.each(all)('%o has an error if it is required', (of) => {
    expect(formToParams([{ ...of, required: true }], {})).toEqual({ params: {}, errors: { p: 'Required' } })
  })

  test.each([whole, choice, texts, many, object])('%o with only spaces is not sent', (of) => {
    expect(formToParams([of], { p: ' \n ' })).toEqual({ params: {}, errors: {} })
  })
})

test('parameters are written as they would be typed, and those without a field are left out', () => {
  expect(paramsToForm([texts, { ...flag, name: 'f' }], { p: ['a', 'b'], f: false, other: 1 })).toEqual({
    p: 'a\nb',
    f: 'false',
  })
  expect(paramsToForm([object], { p: { a: 1 } })).toEqual({ p: '{\n  "a": 1\n}' })
})

test('each line that is not empty is an item', () => {
  expect(splitLines(' a \n\n b')).toEqual(['a', 'b'])
})
