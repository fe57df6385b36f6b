import { expect, test } from 'vitest'
import { buildFormFields, type FormField } from './form-fields'

/** The field of a single parameter. */
function fieldOf(property: object, given: { required?: boolean; first?: boolean } = {}): FormField {
  const { required = false, first = required } = given
  const [field] = buildFormFields({
    params: [{ name: 'p', type: 'string', required: first, description: 'What it is.' }],
    schema: { type: 'object', properties: { p: property }, required: required ? ['p'] : [] },
  })
  if (!field) throw new Error('no field')
  return field
}

test.each([
  ['a text', { type: 'string', maxLength: 400 }, { kind: 'text', long: false }],
  ['a long text', { type: 'string', maxLength: 32_000 }, { kind: 'text', long: true }],
  ['a number', { type: 'number', minimum: 0, maximum: 2 }, { kind: 'number', whole: false, min: 0, max: 2 }],
  ['an integer', { type: 'integer' }, { kind: 'number', whole: true }],
  ['a multiple of 1', { type: 'number', multipleOf: 1 }, { kind: 'number', whole: true }],
  ['a multiple of 0.5', { type: 'number', multipleOf: 0.5 }, { kind: 'number', whole: false }],
  ['a boolean', { type: 'boolean' }, { kind: 'flag' }],
  ['an enum', { type: 'string', enum: ['a', 'b'] }, { kind: 'choice', options: ['a', 'b'] }],
  ['texts', { type: 'array', items: { type: 'string' } }, { kind: 'list', of: 'text' }],
  ['integers', { type: 'array', items: { type: 'integer' } }, { kind: 'list', of: 'number' }],
  [
    'chosen texts',
    { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    { kind: 'many', options: ['a', 'b'] },
  ],
  [
    'chosen numbers',
    { type: 'array', items: { anyOf: [{ const: 0 }, { const: 1 }] } },
    { kind: 'many', options: [0, 1] },
  ],
  ['an object', { type: 'object' }, { kind: 'json', objectOnly: true }],
  ['a list of objects', { type: 'array', items: { type: 'object' } }, { kind: 'json', objectOnly: false }],
  ['a union', { anyOf: [{ type: 'string' }, { type: 'number' }] }, { kind: 'json', objectOnly: false }],
  ['anything', {}, { kind: 'json', objectOnly: false }],
])('%s has its own control', (_what, property, kind) => {
  expect(fieldOf(property)).toMatchObject(kind)
})

test.each([
  [undefined, null],
  ['usd', 'usd'],
  [25, '25'],
  [false, 'false'],
  [['usd', 'eur'], 'usd, eur'],
  [{ a: 1 }, '{"a":1}'],
])('a default of %j is shown as %j', (value, shown) => {
  expect(fieldOf({ type: 'string', default: value }).fallback).toBe(shown)
})

test('a parameter listed as required is visible, and required only if the schema says so', () => {
  expect(fieldOf({ type: 'string' }, { required: true })).toMatchObject({ first: true, required: true })
  expect(fieldOf({ type: 'number', default: 20 }, { first: true })).toMatchObject({ first: true, required: false })
  expect(fieldOf({ type: 'string' })).toMatchObject({ first: false, required: false })
})

test('a parameter named like a property of Object.prototype is an ordinary field', () => {
  const params = ['constructor', '__proto__'].map((name) => ({
    name,
    type: 'string',
    required: false,
    description: '',
  }))
  expect(buildFormFields({ params, schema: { type: 'object', properties: {} } }).map(({ kind }) => kind)).toEqual([
    'json',
    'json',
  ])
})
