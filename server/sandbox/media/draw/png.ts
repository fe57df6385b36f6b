import { crc32, deflateSync } from 'node:zlib'
import type { Canvas } from './canvas'

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const framed = Buffer.alloc(typed.length + 8)
  framed.writeUInt32BE(body.length, 0)
  framed.set(typed, 4)
  framed.writeUInt32BE(crc32(typed), typed.length + 4)
  return framed
}

/** A text that the file carries, in UTF-8: https://www.w3.org/TR/png-3/#11iTXt */
const textChunk = (keyword: string, text: string): Buffer =>
  chunk('iTXt', Buffer.concat([Buffer.from(`${keyword}\0\0\0\0\0`, 'latin1'), Buffer.from(text)]))

/** Texts that every image of the sandbox carries: it says what it is. */
export const MADE_BY = 'Tollgate sandbox, drawn by a script'

/** A canvas as a PNG that carries its description. */
export function encodePng({ width, height, rows }: Canvas, description: string): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    textChunk('Software', MADE_BY),
    textChunk('Description', description.slice(0, 2_000)),
    chunk('IDAT', deflateSync(rows, { level: 4 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
