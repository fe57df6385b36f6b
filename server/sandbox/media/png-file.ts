import { inflateSync } from 'node:zlib'
import type { Color } from './draw/canvas'

/** What a PNG carries beside its pixels, and a few of those; null where the bytes are not one. */
export type PngFile = { texts: Record<string, string>; colors: Color[] }

/** Larger ones are not decoded: the sandbox stays light. */
const MAX_PIXELS = 3_000_000
const SAMPLES = 2_000

/** Reads a PNG: https://www.w3.org/TR/png-3/. Without `colors` where it is of a rarer kind. */
export function readPngFile(bytes: Buffer): PngFile | null {
  if (bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return null
  const texts: Record<string, string> = {}
  const data: Buffer[] = []
  let header = Buffer.alloc(13)
  let palette = Buffer.alloc(0)
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const body = bytes.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR' && length === 13) header = Buffer.from(body)
    if (type === 'PLTE') palette = Buffer.from(body)
    if (type === 'IDAT') data.push(body)
    if (type === 'iTXt') {
      const [keyword = ''] = body.toString('latin1').split('\0')
      // Keyword, two flags, an empty language and an empty translation of the keyword.
      texts[keyword] = body.toString('utf8', keyword.length + 5)
    }
    at += length + 12
  }
  return { texts, colors: samplesOf(header, palette, Buffer.concat(data)) }
}

/** Bytes of a pixel by the kind of its colors. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

function samplesOf(header: Buffer, palette: Buffer, data: Buffer): Color[] {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth = 0, kind = 0, , , interlaced = 0] = header.subarray(8)
  const channels = CHANNELS[kind]
  const isSmall = depth < 8 && (kind === 3 || kind === 0)
  if (!channels || interlaced || width * height > MAX_PIXELS || (depth !== 8 && !isSmall)) return []
  const stride = Math.ceil((width * channels * depth) / 8)
  let raw: Buffer
  try {
    raw = inflateSync(data, { maxOutputLength: (stride + 1) * height })
  } catch {
    return []
  }
  const step = Math.max(1, Math.ceil(channels))
  unfilter(raw, { stride, height, step })
  const jump = Math.max(1, Math.floor((width * height) / SAMPLES))
  const colors: Color[] = []
  for (let pixel = 0; pixel < width * height; pixel += jump) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    const row = y * (stride + 1) + 1
    const value = isSmall
      ? ((raw[row + Math.floor((x * depth) / 8)] ?? 0) >> (8 - depth - ((x * depth) % 8))) & (2 ** depth - 1)
      : (raw[row + x * channels] ?? 0)
    if (kind === 3) colors.push([palette[value * 3] ?? 0, palette[value * 3 + 1] ?? 0, palette[value * 3 + 2] ?? 0])
    else if (channels < 3) {
      const gray = isSmall ? (value / (2 ** depth - 1)) * 255 : value
      colors.push([gray, gray, gray])
    } else colors.push([value, raw[row + x * channels + 1] ?? 0, raw[row + x * channels + 2] ?? 0])
  }
  return colors
}

/** Undoes the filters of the rows, in place. */
function unfilter(raw: Buffer, { stride, height, step }: { stride: number; height: number; step: number }): void {
  for (let y = 0; y < height; y++) {
    const row = y * (stride + 1) + 1
    const filter = raw[row - 1] ?? 0
    if (filter === 0) continue
    for (let i = 0; i < stride; i++) {
      const left = i >= step ? (raw[row + i - step] ?? 0) : 0
      const up = y > 0 ? (raw[row + i - stride - 1] ?? 0) : 0
      const corner = i >= step && y > 0 ? (raw[row + i - stride - 1 - step] ?? 0) : 0
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0
      raw[row + i] = ((raw[row + i] ?? 0) + guess) & 255
    }
  }
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}
