import { createHash } from 'node:crypto'
import { AppError } from '../errors'

const MIB = 1024 * 1024

/** The largest body a JSON operation takes unless it says otherwise, bytes. */
export const DEFAULT_MAX_BODY = MIB

const tooLarge = (max: number) =>
  new AppError('payload_too_large', `The body may have ${max >= MIB ? `${max / MIB} MiB` : `${max} bytes`} at most.`)

/** Reads a body of at most `max` bytes. Throws `payload_too_large` without reading further. */
export async function readBytes(req: Request, max: number): Promise<Buffer> {
  if (Number(req.headers.get('content-length') ?? 0) > max) throw tooLarge(max)
  if (!req.body) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = req.body.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch((cause) => {
      throw new AppError('invalid_request', 'The body broke off.', { cause })
    })
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

export type JsonBody = { value: unknown; hash: Buffer }

/**
 * A request's JSON body and the SHA-256 of its bytes. Throws `unsupported_media_type`, `payload_too_large` or
 * `invalid_request`, in this order.
 */
export async function readJson(req: Request, max: number): Promise<JsonBody> {
  const type = req.headers.get('content-type') ?? ''
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new AppError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.')
  }
  const bytes = await readBytes(req, max)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { value: JSON.parse(text), hash: createHash('sha256').update(bytes).digest() }
  } catch {
    throw new AppError('invalid_request', bytes.length === 0 ? 'The body is empty.' : 'The body is not valid JSON.')
  }
}
