import { expect, test } from 'vitest'
import { lazy } from './lazy'

test('a value is made once, at its first use, and again after a reset', () => {
  let made = 0
  const value = lazy(() => ++made)
  expect(made).toBe(0)
  expect([value(), value()]).toEqual([1, 1])
  expect([value.reset(), value.reset()]).toEqual([1, undefined])
  expect(value()).toBe(2)
  value.set(7)
  expect(value()).toBe(7)
})

test('undefined is a value too, and a failure is not kept', () => {
  const results = [() => undefined, () => expect.unreachable()]
  const value = lazy(() => results.shift()?.())
  expect([value(), value()]).toEqual([undefined, undefined])
  let attempts = 0
  const failing = lazy(() => {
    attempts++
    if (attempts === 1) throw new Error('first')
    return attempts
  })
  expect(failing).toThrow('first')
  expect(failing()).toBe(2)
})
