import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { chooseEncoding, compressText } from './compress'

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

test('a text is sent in the encoding that was chosen', async () => {
  expect(brotliDecompressSync(await compressText('tolls', 'br')).toString()).toBe('tolls')
  expect(gunzipSync(await compressText('tolls', 'gzip')).toString()).toBe('tolls')
  expect((await compressText('tolls', null)).toString()).toBe('tolls')
})
