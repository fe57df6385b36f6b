import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import type { PixelSize } from '../../tools/media/ratios'

/**
 * A PNG of this size in two colors derived from the prompt: the same prompt makes the same image.
 */
export function makeImageFile(prompt: string, { width, height }: PixelSize): Buffer {
  const colors = createHash('sha256').update(prompt).digest()
  // One bit per pixel; each row begins with its filter number. Slanted stripes, eight pixels wide.
  const rowBytes = Math.ceil(width / 8)
  const pixels = Buffer.alloc((rowBytes + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < rowBytes; x++) pixels[y * (rowBytes + 1) + 1 + x] = (x + (y >> 3)) % 4 < 2 ? 0xff : 0
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Bit depth 1, colors from a palette.
  header.set([1, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', colors.subarray(0, 6)),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const framed = Buffer.alloc(typed.length + 8)
  framed.writeUInt32BE(body.length, 0)
  framed.set(typed, 4)
  framed.writeUInt32BE(crc32(typed), typed.length + 4)
  return framed
}
