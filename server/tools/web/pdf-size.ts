import { finished } from 'node:stream/promises'
import { createInflate } from 'node:zlib'

/** What all streams of a file may come to when they are unpacked. */
const MAX_UNPACKED = 128 * 1024 * 1024
/** More streams than any document has; each costs time. */
const MAX_STREAMS = 50_000
/** LZW packs a long run of one byte about this well. */
const LZW_FACTOR = 1_400
const DICTIONARY_CHARS = 2_000
const CARRIAGE_RETURN = 0x0d

/**
 * False for a PDF whose streams unpack to more than memory should hold. The reader itself has no
 * such limit, and a megabyte can hold a gigabyte. Streams may overlap, so every byte that inflating
 * any of them produces counts, also of one that turns out to be broken. Streams packed twice count
 * as too large: nobody writes them in earnest.
 */
export async function fitsUnpackedLimit(bytes: Buffer): Promise<boolean> {
  let left = MAX_UNPACKED
  let streams = 0
  let end = -1
  for (let at = bytes.indexOf('stream'); at >= 0; at = bytes.indexOf('stream', at + 6)) {
    if (bytes.toString('latin1', at - 3, at) === 'end') continue
    const start = at + 6 + (bytes[at + 6] === CARRIAGE_RETURN ? 2 : 1)
    // One search serves all streams before the mark that it finds.
    if (end < start) end = endOf(bytes, start)
    left -= await unpackedSize(bytes.subarray(start, end), dictionaryBefore(bytes, at), left)
    if (left < 0 || ++streams > MAX_STREAMS) return false
  }
  return true
}

function endOf(bytes: Buffer, start: number): number {
  const marked = bytes.indexOf('endstream', start)
  return marked < 0 ? bytes.length : marked
}

function dictionaryBefore(bytes: Buffer, at: number): string {
  const text = bytes.toString('latin1', Math.max(0, at - DICTIONARY_CHARS), at)
  return text.slice(text.lastIndexOf(' obj') + 1)
}

async function unpackedSize(packed: Buffer, dictionary: string, limit: number): Promise<number> {
  const flates = dictionary.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0
  const lzw = dictionary.match(/\/(?:LZWDecode|LZW)\b/g)?.length ?? 0
  if (flates + lzw > 1) return Number.POSITIVE_INFINITY
  if (lzw === 1) return packed.length * LZW_FACTOR
  // Whatever its dictionary says (it may be hidden, or written with escapes): what can be unpacked
  // is counted as such.
  return Math.max(packed.length, await inflatedSize(packed, limit))
}

/**
 * Bytes that inflating gives before it ends, fails or has given more than `limit`; none of them is
 * kept.
 */
async function inflatedSize(packed: Buffer, limit: number): Promise<number> {
  const inflate = createInflate({ chunkSize: 256 * 1024 })
  let size = 0
  inflate.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limit) inflate.destroy()
  })
  inflate.end(packed)
  // What cannot be inflated is no failure here: it has given as much as it has.
  await finished(inflate).catch(() => {})
  return size
}
