import { describe, expect, test } from 'vitest'
import { NewKey } from '@/server/keys/shape'
import { DEFAULT_KEY_VALUES, type KeyFormValues, parseKeyForm } from './form-values'

const read = (values: Partial<KeyFormValues>) => parseKeyForm({ ...DEFAULT_KEY_VALUES, name: 'ci', ...values })

const madeFrom = (values: Partial<KeyFormValues>): NewKey => {
  const answer = read(values)
  if ('wrongs' in answer) throw new Error(JSON.stringify(answer.wrongs))
  return answer.key
}

const wrongWith = (values: Partial<KeyFormValues>): string[] => {
  const answer = read(values)
  return 'wrongs' in answer ? Object.keys(answer.wrongs) : []
}

describe('the key form', () => {
  test('as it first stands, with a name, makes a key that the service takes', () => {
    expect(NewKey.parse(madeFrom({ name: ' ci ' }))).toMatchObject({
      name: 'ci',
      tools: 'all',
      budget: null,
      rpm: 60,
      capabilities: null,
    })
  })

  test('takes numbers with spaces between thousands', () => {
    expect(madeFrom({ limited: true, budget: '10 000' })).toMatchObject({ budget: 10_000 })
    expect(madeFrom({ limited: true, budget: '10\u202f000' })).toMatchObject({ budget: 10_000 })
  })

  test.each(['', '0', '-5', '1e3', 'many', '1000001'])(
    'refuses %j requests a minute, and says at which field',
    (rpm) => {
      expect(wrongWith({ rpm })).toEqual(['rpm'])
    },
  )

  test('does not mind a budget that is not used', () => {
    expect(madeFrom({ limited: false, budget: 'x' })).toMatchObject({ budget: null })
  })

  test('forgets models and groups that were chosen and then switched off', () => {
    const made = madeFrom({ allowedModels: ['a/b'], modelMode: 'some', capabilities: ['web'], confined: true })
    expect(made).toMatchObject({ llm: false, allowedModels: [], agent: false, capabilities: null })
  })

  test.each([
    [{ toolMode: 'some' as const }, 'tools'],
    [{ llm: true, modelMode: 'some' as const }, 'allowedModels'],
    [{ agent: true, confined: true }, 'capabilities'],
    [{ expiry: 'day' as const, expiryDay: '2020-01-01' }, 'expiryDay'],
    [{ expiry: 'day' as const, expiryDay: '' }, 'expiryDay'],
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(81) }, 'name'],
    [{ toolMode: 'none' as const }, 'toolMode'],
  ])('%j is refused at %s', (values, field) => {
    expect(wrongWith(values)).toEqual([field])
  })
})
