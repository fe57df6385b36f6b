import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import type { PixelSize } from '../../tools/media/ratios'

/** A PNG of this size in two colours made from the prompt: the same prompt gives the same picture. */
export function makeImageFile(prompt: string, { width, height }: PixelSize): Buffer {
  const colours = createHash('sha256').update(prompt).digest()
  // One bit a pixel, rows led by their filter's number; stripes of eight pixels that lean.
  const row = Math.ceil(width / 8)
  const pixels = Buffer.alloc((row + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < row; x++) pixels[y * (row + 1) + 1 + x] = (x + (y >> 3)) % 4 < 2 ? 0xff : 0
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Bit depth 1, colours from a palette.
  head.set([1, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('PLTE', colours.subarray(0, 6)),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(kind: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), body])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(body.length, 0)
  framed.set(named, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}
