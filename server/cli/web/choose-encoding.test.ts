import { expect, test } from 'vitest'
import { chooseEncoding } from './choose-encoding'

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP;q=0.8, BR;q=0.5', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.000, gzip;q=0', null],
  ['deflate', null],
  [undefined, null],
])('an Accept-Encoding of %s is answered with %s', (accepts, expected) => {
  expect(chooseEncoding(accepts)).toBe(expected)
})
