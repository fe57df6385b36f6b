import { inflateSync } from 'node:zlib'

/** What all streams of a file may come to when they are unpacked. */
const MAX_UNPACKED = 128 * 1024 * 1024
/** LZW packs a long run of one byte about this well. */
const LZW_FACTOR = 1_400
const DICTIONARY_CHARS = 2_000

/**
 * False for a PDF whose streams unpack to more than memory should hold. The reader itself has no such limit, and a
 * megabyte can hold a gigabyte. Streams packed twice count as too large: nobody writes them in earnest.
 */
export function unpacksWithinReason(bytes: Buffer): boolean {
  let left = MAX_UNPACKED
  for (let at = bytes.indexOf('stream'); at >= 0; at = bytes.indexOf('stream', at + 6)) {
    if (bytes.toString('latin1', at - 3, at) === 'end') continue
    const start = at + 6 + (bytes[at + 6] === 0x0d ? 2 : 1)
    const marked = bytes.indexOf('endstream', start)
    const end = marked < 0 ? bytes.length : marked
    left -= unpackedSize(bytes.subarray(start, end), dictionaryBefore(bytes, at), left)
    if (left < 0) return false
  }
  return true
}

function dictionaryBefore(bytes: Buffer, at: number): string {
  const text = bytes.toString('latin1', Math.max(0, at - DICTIONARY_CHARS), at)
  return text.slice(text.lastIndexOf(' obj') + 1)
}

function unpackedSize(packed: Buffer, dictionary: string, limit: number): number {
  const flates = dictionary.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0
  const lzw = dictionary.match(/\/(?:LZWDecode|LZW)\b/g)?.length ?? 0
  if (flates + lzw > 1) return Number.POSITIVE_INFINITY
  if (lzw === 1) return packed.length * LZW_FACTOR
  // Whatever its dictionary says (it may be hidden, or written with escapes): what can be unpacked is counted as such.
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(1, limit) }).length
  } catch (error) {
    const tooLong = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    return tooLong ? Number.POSITIVE_INFINITY : packed.length
  }
}
