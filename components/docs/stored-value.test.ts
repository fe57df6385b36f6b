import { expect, test } from 'vitest'
import { makeStoredValue } from './stored-value'

function memoryStorage() {
  const values = new Map<string, string>()
  return {
    values,
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  }
}

test('a stored value is what the storage has, and an empty one is removed', () => {
  const storage = memoryStorage()
  const value = makeStoredValue(() => storage, 'language')
  expect(value.read()).toBe('')
  value.store('Python')
  expect([value.read(), storage.values.get('language')]).toEqual(['Python', 'Python'])
  value.store('')
  expect([value.read(), storage.values.size]).toEqual(['', 0])
})

test('a listener of a stored value is called for each change, until it leaves', () => {
  const value = makeStoredValue(memoryStorage, 'language')
  let calls = 0
  const leave = value.subscribe(() => {
    calls++
  })
  value.store('curl')
  leave()
  value.store('Python')
  expect(calls).toBe(1)
})

test('a value is kept in memory where storage is forbidden', () => {
  const value = makeStoredValue(() => {
    throw new Error('SecurityError')
  }, 'key')
  value.store('tg_1')
  expect(value.read()).toBe('tg_1')
})
