import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Of the eleven levels of Brotli, one that costs about as much as gzip. */
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

type ContentEncoding = 'br' | 'gzip'

const isRefused = (parameters: readonly string[]): boolean =>
  parameters.some((one) => one.startsWith('q=') && Number(one.slice(2)) === 0)

/** The best encoding that an Accept-Encoding header allows; null for no encoding. */
export function chooseEncoding(accepts: string | undefined): ContentEncoding | null {
  const allowed = (accepts ?? '').split(',').flatMap((part) => {
    const [name, ...parameters] = part.split(';').map((one) => one.trim().toLowerCase())
    return isRefused(parameters) ? [] : [name]
  })
  return allowed.includes('br') ? 'br' : allowed.includes('gzip') ? 'gzip' : null
}

/** A text as it is sent in an encoding. */
export async function compressText(text: string, encoding: ContentEncoding | null): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.from(text)
  if (encoding === null) return bytes
  return encoding === 'br' ? brotli(bytes, QUICK) : gzipped(bytes)
}
