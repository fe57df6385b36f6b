import { describe, expect, test } from 'vitest'
import { NewKey } from '@/server/keys/shape'
import { FIRST_VALUES, KeyForm, type KeyValues } from './form-values'

const parse = (values: Partial<KeyValues>) => KeyForm.safeParse({ ...FIRST_VALUES, name: 'ci', ...values })
const wrongWith = (values: Partial<KeyValues>) => parse(values).error?.issues.map((i) => i.path.join('.'))

describe('the key form', () => {
  test('as it first stands, with a name, makes a key that the service takes', () => {
    const made = parse({})
    expect(NewKey.parse(made.data)).toMatchObject({
      name: 'ci',
      tools: 'all',
      budget: null,
      rpm: 60,
      capabilities: null,
    })
  })

  test('takes numbers with spaces between thousands', () => {
    expect(parse({ limited: true, budget: '10 000' }).data).toMatchObject({ budget: 10_000 })
    expect(parse({ limited: true, budget: '10\u202f000' }).data).toMatchObject({ budget: 10_000 })
  })

  test.each(['', '0', '-5', '1e3', 'many', '1000001'])(
    'refuses %j requests a minute, and says at which field',
    (rpm) => {
      expect(wrongWith({ rpm })).toEqual(['rpm'])
    },
  )

  test('does not mind a budget that is not used', () => {
    expect(parse({ limited: false, budget: 'x' }).success).toBe(true)
  })

  test('forgets models and groups that were chosen and then switched off', () => {
    const { data } = parse({ allowedModels: ['a/b'], modelMode: 'some', capabilities: ['web'], confined: true })
    expect(data).toMatchObject({ llm: false, allowedModels: [], agent: false, capabilities: null })
  })

  test.each([
    [{ toolMode: 'some' as const }, 'tools'],
    [{ llm: true, modelMode: 'some' as const }, 'allowedModels'],
    [{ agent: true, confined: true }, 'capabilities'],
    [{ expiry: 'day' as const, expiryDay: '2020-01-01' }, 'expiryDay'],
    [{ expiry: 'day' as const, expiryDay: '' }, 'expiryDay'],
    [{ name: '  ' }, 'name'],
    [{ toolMode: 'none' as const }, 'toolMode'],
  ])('%j is refused at %s', (values, field) => {
    expect(wrongWith(values)).toContain(field)
  })
})
