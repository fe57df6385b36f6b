import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { fitsUnpackedLimit } from './pdf-size'

const stream = (bytes: Buffer, dictionary = '/Filter /FlateDecode'): Buffer =>
  Buffer.concat([Buffer.from(`1 0 obj\n<< ${dictionary} >>\nstream\n`), bytes, Buffer.from('\nendstream\nendobj\n')])

/** Zeros as zlib data that inflate whole and then fail for their checksum. */
const broken = (size: number): Buffer => {
  const packed = deflateSync(Buffer.alloc(size))
  packed[packed.length - 1] = (packed.at(-1) ?? 0) ^ 0xff
  return packed
}

test('a file whose streams unpack to little is read', async () => {
  expect(await fitsUnpackedLimit(Buffer.concat([stream(deflateSync('x')), stream(Buffer.from('plain'), '')]))).toBe(
    true,
  )
})

test('one stream that unpacks to too much is refused, and so are many that do together', async () => {
  expect(await fitsUnpackedLimit(stream(deflateSync(Buffer.alloc(140_000_000))))).toBe(false)
  const part = stream(deflateSync(Buffer.alloc(50_000_000)))
  expect(await fitsUnpackedLimit(Buffer.concat([part, part]))).toBe(true)
  expect(await fitsUnpackedLimit(Buffer.concat([part, part, part]))).toBe(false)
})

test('what a broken stream unpacks to before it fails counts too', async () => {
  const part = stream(broken(50_000_000))
  expect(await fitsUnpackedLimit(Buffer.concat([part, part, part]))).toBe(false)
})

test('streams packed twice, and more streams than a document has, are refused', async () => {
  expect(await fitsUnpackedLimit(stream(Buffer.from('x'), '/Filter [/FlateDecode /Fl]'))).toBe(false)
  expect(await fitsUnpackedLimit(Buffer.from('stream\n'.repeat(60_000)))).toBe(false)
})
