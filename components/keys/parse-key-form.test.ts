import { describe, expect, test } from 'vitest'
import { NewKey } from '@/server/keys/shape'
import { DEFAULT_KEY_VALUES, type KeyFormValues } from './form-values'
import { parseKeyForm } from './parse-key-form'

const read = (values: Partial<KeyFormValues>) =>
  parseKeyForm({ ...DEFAULT_KEY_VALUES, name: 'ci', ...values }, { timeZone: 'Europe/Berlin' })

const keyFrom = (values: Partial<KeyFormValues>): NewKey => {
  const result = read(values)
  if ('errors' in result) throw new Error(JSON.stringify(result.errors))
  return result.key
}

const errorsOf = (values: Partial<KeyFormValues>): string[] => {
  const result = read(values)
  return 'errors' in result ? Object.keys(result.errors) : []
}

describe('the key form', () => {
  test('makes a key that the service accepts from its initial values and a name', () => {
    expect(NewKey.parse(keyFrom({ name: ' ci ' }))).toMatchObject({
      name: 'ci',
      tools: 'all',
      budget: null,
      rpm: 60,
      capabilities: null,
    })
  })

  test('accepts numbers with spaces between thousands', () => {
    expect(keyFrom({ limited: true, budget: '10 000' })).toMatchObject({ budget: 10_000 })
    expect(keyFrom({ limited: true, budget: '10\u202f000' })).toMatchObject({ budget: 10_000 })
  })

  test.each(['', '0', '-5', '1e3', 'many', '1000001'])('refuses %j requests per minute at that field', (rpm) => {
    expect(errorsOf({ rpm })).toEqual(['rpm'])
  })

  test('ignores the budget field when there is no budget', () => {
    expect(keyFrom({ limited: false, budget: 'x' })).toMatchObject({ budget: null })
  })

  test('takes a recurring budget, tags and the end of a day in the owner’s zone', () => {
    const values = { recurring: true, recurringCredits: '2 000', every: 'week', tags: ' ci, night ,ci,,' } as const
    expect(NewKey.parse(keyFrom({ ...values, expiry: 'day', expiryDay: '2126-11-22' }))).toMatchObject({
      recurringBudget: { credits: 2_000, every: 'week' },
      tags: ['ci', 'night'],
      expiresAt: '2126-11-22T22:59:59.000Z',
    })
    expect(keyFrom({ recurringCredits: 'x' })).toMatchObject({ recurringBudget: null, tags: [] })
  })

  test('ignores models and groups that were chosen and then disabled', () => {
    const key = keyFrom({ allowedModels: ['a/b'], modelMode: 'some', capabilities: ['web'], confined: true })
    expect(key).toMatchObject({ llm: false, allowedModels: [], agent: false, capabilities: null })
  })

  test.each([
    [{ toolMode: 'some' as const }, 'tools'],
    [{ llm: true, modelMode: 'some' as const }, 'allowedModels'],
    [{ agent: true, confined: true }, 'capabilities'],
    [{ expiry: 'day' as const, expiryDay: '2020-01-01' }, 'expiryDay'],
    [{ expiry: 'day' as const, expiryDay: '' }, 'expiryDay'],
    [{ recurring: true, recurringCredits: '0' }, 'recurringCredits'],
    [{ tags: 'x'.repeat(41) }, 'tags'],
    [{ tags: Array.from({ length: 21 }, (_, i) => i).join(',') }, 'tags'],
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(81) }, 'name'],
    [{ toolMode: 'none' as const }, 'toolMode'],
  ])('%j is refused at %s', (values, field) => {
    expect(errorsOf(values)).toEqual([field])
  })
})
