import { crc32 } from 'node:zlib'

/** Signature and header of a PNG, which come before all texts. */
const HEAD_BYTES = 33
/** Two flags, an empty language and an empty translation of the keyword. */
const AFTER_KEYWORD = '\0\0\0\0\0'

/** A PNG with texts in UTF-8 beside its pixels: https://www.w3.org/TR/png-3/#11iTXt */
export function withTexts(png: Buffer, texts: Record<string, string>): Buffer {
  const chunks = Object.entries(texts).map(([keyword, text]) => {
    const body = Buffer.concat([Buffer.from(`iTXt${keyword}${AFTER_KEYWORD}`, 'latin1'), Buffer.from(text)])
    const framed = Buffer.alloc(body.length + 8)
    framed.writeUInt32BE(body.length - 4, 0)
    framed.set(body, 4)
    framed.writeUInt32BE(crc32(body), body.length + 4)
    return framed
  })
  return Buffer.concat([png.subarray(0, HEAD_BYTES), ...chunks, png.subarray(HEAD_BYTES)])
}

/** A text of a PNG that `withTexts` made; null where it has none. */
export function textOf(png: Buffer, keyword: string): string | null {
  const mark = `iTXt${keyword}${AFTER_KEYWORD}`
  const at = png.indexOf(mark, 0, 'latin1')
  if (at < 4) return null
  return png.toString('utf8', at + mark.length, at + 4 + png.readUInt32BE(at - 4))
}
