import { expect, test } from 'vitest'
import { within } from './within'

test('work that ends gives its value, or throws its own error', () => {
  expect(within(1_000, () => [1, 2])).toEqual([1, 2])
  const own = new RangeError('mine')
  expect(() =>
    within(1_000, () => {
      throw own
    }),
  ).toThrow(own)
})

test('work that does not end is stopped', () => {
  const started = performance.now()
  expect(() =>
    within(50, () => {
      for (;;);
    }),
  ).toThrow(expect.objectContaining({ code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' }))
  expect(performance.now() - started).toBeLessThan(1_000)
})
