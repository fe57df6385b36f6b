import { expect, test } from 'vitest'
import { countFailures } from './restart-delay'

test('a process that fails at once waits longer each time, and one that has run for long does not wait', () => {
  const ended = countFailures()
  expect([1, 1, 1].map(ended)).toEqual([
    { failures: 1, delayMs: 500 },
    { failures: 2, delayMs: 1_000 },
    { failures: 3, delayMs: 2_000 },
  ])
  expect(ended(60_000)).toEqual({ failures: 0, delayMs: 0 })
  expect(Array.from({ length: 20 }, () => ended(1)).at(-1)).toEqual({ failures: 20, delayMs: 30_000 })
})
