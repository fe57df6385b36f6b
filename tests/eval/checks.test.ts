import { expect, test } from 'vitest'
import { hasFact } from './checks'

test.each([
  ['It costs 12,857.73 EUR.', 12857.729, true],
  ['It costs 12857.729 EUR.', 12857.729, true],
  ['It costs 12858 EUR.', 12857.729, false],
  ['97 of 480 homes', 97, true],
  ['In all 264,218 EUR', 264218, true],
  ['197 of 480 homes', 97, false],
  ['It fell by -9.92 %', 9.9233, true],
  ['see https://example.com/a', '/a', true],
])('%s: %s is there: %s', (text, fact, isThere) => {
  expect(hasFact(text, fact)).toBe(isThere)
})
