import { expect, test } from 'vitest'
import { memoize } from './memoize'

test('it is computed once for each object, also where it comes to nothing', () => {
  let made = 0
  const size = memoize((of: object): number | undefined => {
    made++
    return Object.keys(of).length || undefined
  })
  const [a, b] = [{ x: 1 }, {}]
  expect([size(a), size(a), size(b), size(b)]).toEqual([1, 1, undefined, undefined])
  expect(made).toBe(2)
})
