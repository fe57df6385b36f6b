import { createHash } from 'node:crypto'
import { AppError } from '../errors'

const MIB = 1024 * 1024

/** The largest body a JSON operation takes unless it says otherwise, bytes. */
export const DEFAULT_MAX_BODY = MIB

const tooLarge = (max: number) =>
  new AppError('payload_too_large', `The body may have ${max >= MIB ? `${max / MIB} MiB` : `${max} bytes`} at most.`)

const brokeOff = (cause: unknown): never => {
  throw new AppError('invalid_request', 'The body broke off.', { cause })
}

/** Reads a body of at most `max` bytes. Throws `payload_too_large` without reading further. */
export async function readBytes(req: Request, max: number): Promise<Buffer> {
  const told = req.headers.get('content-length')
  if (Number(told ?? 0) > max) throw tooLarge(max)
  // The HTTP parser holds a sender to the length it told; reading all at once costs a fraction of reading a stream.
  if (told !== null && /^\d+$/.test(told)) {
    const bytes = Buffer.from(await req.arrayBuffer().catch(brokeOff))
    if (bytes.length > max) throw tooLarge(max)
    return bytes
  }
  if (!req.body) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = req.body.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(brokeOff)
    if (done) return Buffer.concat(chunks, size)
    size += value.length
    if (size > max) {
      reader.cancel().catch(() => {
        // The caller is gone already.
      })
      throw tooLarge(max)
    }
    chunks.push(value)
  }
}

/** `hash`: the SHA-256 of the body's bytes. */
export type JsonBody = { value: unknown; hash: () => Buffer }

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * A request's JSON body. Throws `unsupported_media_type`, `payload_too_large` or
 * `invalid_request`, in this order.
 */
export async function readJson(req: Request, max: number): Promise<JsonBody> {
  const type = req.headers.get('content-type') ?? ''
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new AppError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.')
  }
  const bytes = await readBytes(req, max)
  try {
    return { value: JSON.parse(utf8.decode(bytes)), hash: () => createHash('sha256').update(bytes).digest() }
  } catch {
    throw new AppError('invalid_request', bytes.length === 0 ? 'The body is empty.' : 'The body is not valid JSON.')
  }
}
