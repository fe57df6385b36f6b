import type { PixelSize } from './ratios'

export type ImageInfo = PixelSize & { contentType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' }
export type VideoInfo = { contentType: 'video/mp4'; size: PixelSize | null; hasSound: boolean }

/** Type and size of an image by its bytes, whatever its sender says; null for anything else. */
export function probeImage(bytes: Buffer): ImageInfo | null {
  const seen = png(bytes) ?? jpeg(bytes) ?? webp(bytes) ?? gif(bytes)
  return seen && seen.width > 0 && seen.height > 0 ? seen : null
}

const text = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to)

function png(bytes: Buffer): ImageInfo | null {
  if (bytes.length < 24 || text(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || text(bytes, 12, 16) !== 'IHDR') return null
  return { contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Frame headers are SOF0 to SOF15 without DHT (c4), JPG (c8) and DAC (cc). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/**
 * Headers are much shorter; a file of fill bytes must not be read to its end on the main thread.
 */
const MAX_HEADER_BYTES = 1024 * 1024

function jpeg(bytes: Buffer): ImageInfo | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null
  const end = Math.min(bytes.length, MAX_HEADER_BYTES)
  for (let at = 2; at + 9 <= end; ) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    if (isFrame(marker)) {
      return { contentType: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    // Fill bytes and markers without a body.
    const isBare = marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
    at += marker === 0xff ? 1 : isBare ? 2 : 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

function webp(bytes: Buffer): ImageInfo | null {
  if (bytes.length < 30 || text(bytes, 0, 4) !== 'RIFF' || text(bytes, 8, 12) !== 'WEBP') return null
  const of = (width: number, height: number): ImageInfo => ({ contentType: 'image/webp', width, height })
  switch (text(bytes, 12, 16)) {
    case 'VP8 ':
      return of(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return of((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
    }
    case 'VP8X':
      return of(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
    default:
      return null
  }
}

function gif(bytes: Buffer): ImageInfo | null {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(text(bytes, 0, 6))) return null
  return { contentType: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

type Box = { kind: string; body: Buffer }

/** The boxes in a part of an MP4 file, one after the other. Stops where a length is invalid. */
function* boxesIn(bytes: Buffer): Generator<Box> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const short = bytes.readUInt32BE(at)
    if (short === 1 && at + 16 > bytes.length) return
    const length = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? bytes.length - at : short
    const head = short === 1 ? 16 : 8
    if (length < head || at + length > bytes.length) return
    yield { kind: text(bytes, at + 4, at + 8), body: bytes.subarray(at + head, at + length) }
    at += length
  }
}

const first = (bytes: Buffer | undefined, kind: string): Buffer | undefined => {
  for (const box of boxesIn(bytes ?? Buffer.alloc(0))) if (box.kind === kind) return box.body
  return undefined
}

/**
 * Size and sound of an MP4 file by its index; null for anything else, and for a file without a
 * video track.
 */
export function probeVideo(bytes: Buffer): VideoInfo | null {
  if (bytes.length < 16 || text(bytes, 4, 8) !== 'ftyp') return null
  const tracks = [...boxesIn(first(bytes, 'moov') ?? Buffer.alloc(0))]
    .filter(({ kind }) => kind === 'trak')
    .map(({ body }) => {
      const handler = first(first(body, 'mdia'), 'hdlr')
      return { kind: handler ? text(handler, 8, 12) : '', head: first(body, 'tkhd') }
    })
  const video = tracks.find(({ kind }) => kind === 'vide')
  if (!video) return null
  return {
    contentType: 'video/mp4',
    size: video.head ? sizeIn(video.head) : null,
    hasSound: tracks.some(({ kind }) => kind === 'soun'),
  }
}

/** The last eight bytes of a track's header: width and height in 16.16 fixed point. */
function sizeIn(head: Buffer): PixelSize | null {
  if (head.length < 8) return null
  const [width, height] = [head.readUInt16BE(head.length - 8), head.readUInt16BE(head.length - 4)]
  return width > 0 && height > 0 ? { width, height } : null
}
