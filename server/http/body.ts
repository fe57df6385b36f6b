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
      // Not cancelled: that would close the connection before the answer is out. The server does it afterwards.
      reader.releaseLock()
      throw tooLarge(max)
    }
    chunks.push(value)
  }
}

/** A request with its body read, at most `max` bytes of it, for code that would read one of any size. */
export async function withBoundedBody(req: Request, max: number): Promise<Request> {
  const { url, method, headers, signal } = req
  if (method === 'GET' || method === 'HEAD') return req
  return new Request(url, { method, headers, signal, body: new Uint8Array(await readBytes(req, max)) })
}

/** `hash`: the SHA-256 of the body's bytes. */
export type RequestJson = { value: unknown; hash: () => Buffer }

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Throws `unsupported_media_type` unless a request says that its body is JSON. */
function needJsonType(req: Request): void {
  const type = req.headers.get('content-type') ?? ''
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new AppError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.')
  }
}

function parseJson(bytes: Buffer): RequestJson {
  try {
    return { value: JSON.parse(utf8.decode(bytes)), hash: () => createHash('sha256').update(bytes).digest() }
  } catch {
    throw new AppError('invalid_request', bytes.length === 0 ? 'The body is empty.' : 'The body is not valid JSON.')
  }
}

/**
 * A request's JSON body. Throws `unsupported_media_type`, `payload_too_large` or
 * `invalid_request`, in this order.
 */
export async function readJson(req: Request, max: number): Promise<RequestJson> {
  needJsonType(req)
  return parseJson(await readBytes(req, max))
}

/** True for no bytes at all and for `{}`. */
const saysNothing = (bytes: Buffer): boolean =>
  bytes.length <= 16 && ['', '{}'].includes(bytes.toString('latin1').replaceAll(/\s/g, ''))

/**
 * The body of a request that needs none: an empty one, or `{}`, is an empty object whatever its type, because clients
 * send a type with no body, and a body with no type. Any other is read as `readJson` reads it, and throws the same.
 */
export async function readOptionalJson(req: Request, max: number): Promise<RequestJson> {
  const bytes = await readBytes(req, max)
  if (saysNothing(bytes)) return parseJson(Buffer.from('{}'))
  needJsonType(req)
  return parseJson(bytes)
}
