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

/** The Content-Encoding of a response; the empty string without one. */
export const contentEncodingOf = (headers: Record<string, string | string[] | undefined>): string =>
  [headers['content-encoding'] ?? ''].flat().join(',')

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

/**
 * The bytes of a stream, by its events: every call reads one, and iterating it would make a promise
 * for each step.
 */
const collect = (source: Readable, maxBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    source.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) return void chunks.push(chunk)
      reject(new BodyTooLargeError())
      source.destroy()
    })
    source.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)))
    source.on('error', reject)
    source.once('close', () => reject(new Error('the body ended before its end')))
  })
