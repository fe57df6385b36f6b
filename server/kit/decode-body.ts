import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'

/** What `readDecoded` understands, for the Accept-Encoding header. */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd'

/** Nobody encodes three times in earnest. */
const MAX_LAYERS = 2

/** RFC 9659: content encoding zstd needs no more than 8 MB of window. */
const ZSTD_WINDOW_LOG = 23

export class BodyTooLargeError extends Error {}

/**
 * Reads a body and undoes its Content-Encoding as a stream, so that a bomb is dropped when it
 * passes `maxBytes`, whether packed or unpacked. Throws BodyTooLarge, or the decoder's own error.
 */
export async function readDecodedBody(body: Readable, encoding: string, maxBytes: number): Promise<Buffer> {
  const layers = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (layers.length > MAX_LAYERS) throw new Error(`too many content encodings: ${encoding}`)
  let source = body
  for (const layer of layers.reverse()) source = await unpack(source, layer, maxBytes)
  return collect(source, maxBytes)
}

async function unpack(source: Readable, layer: string, maxBytes: number): Promise<Readable> {
  const chunks = capped(source, maxBytes)
  const first = await chunks.next()
  if (first.done) return Readable.from([])
  const decoder = decoderFor(layer, first.value)
  const whole = async function* () {
    yield first.value
    yield* chunks
  }
  pipeline(Readable.from(whole()), decoder).catch(() => {
    // The reader of `decoder` sees the same error.
  })
  return decoder
}

function decoderFor(layer: string, first: Buffer) {
  switch (layer) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
    case 'deflate':
      // Some servers send the bare stream, others wrap it in zlib's header (low nibble 8).
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()
    case 'br':
      return createBrotliDecompress()
    case 'zstd':
      return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } })
    default:
      throw new Error(`unknown content encoding: ${layer}`)
  }
}

async function* capped(source: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new BodyTooLargeError()
    yield chunk
  }
}

async function collect(source: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of capped(source, maxBytes)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
