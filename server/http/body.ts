import { createHash } from 'node:crypto'
import { AppError } from '../errors'

const MIB = 1024 * 1024

/** Largest body of a JSON operation that names no other limit, bytes. */
export const DEFAULT_MAX_BODY = MIB

const tooLarge = (max: number) =>
  new AppError('payload_too_large', `The body must not exceed ${max >= MIB ? `${max / MIB} MiB` : `${max} bytes`}.`)

const incomplete = (cause: unknown): never => {
  throw new AppError('invalid_request', 'The connection closed before the whole body was received.', { cause })
}

/** Reads a body of at most `max` bytes. Throws `payload_too_large` without reading further. */
async function readBytes(req: Request, max: number): Promise<Buffer> {
  const contentLength = req.headers.get('content-length')
  if (Number(contentLength ?? 0) > max) throw tooLarge(max)
  // The HTTP parser enforces this length, and reading at once is far cheaper than reading a stream.
  if (contentLength !== null && /^\d+$/.test(contentLength)) {
    const bytes = Buffer.from(await req.arrayBuffer().catch(incomplete))
    if (bytes.length > max) throw tooLarge(max)
    return bytes
  }
  if (!req.body) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = req.body.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(incomplete)
    if (done) return Buffer.concat(chunks, size)
    size += value.length
    if (size > max) {
      // Not cancelled, which would close the connection before the response. The server closes it
      // later.
      reader.releaseLock()
      throw tooLarge(max)
    }
    chunks.push(value)
  }
}

/** A request whose body was read with a limit, for code that would read one of any size. */
export async function withBoundedBody(req: Request, max: number): Promise<Request> {
  const { url, method, headers, signal } = req
  if (method === 'GET' || method === 'HEAD') return req
  return new Request(url, { method, headers, signal, body: new Uint8Array(await readBytes(req, max)) })
}

/** `hash`: the SHA-256 of the body's bytes. */
export type RequestJson = { value: unknown; hash: () => Buffer }

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Throws `unsupported_media_type` unless the body's type is JSON. */
function requireJsonType(req: Request): void {
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
  requireJsonType(req)
  return parseJson(await readBytes(req, max))
}

/**
 * A request's form. Throws `unsupported_media_type`, `payload_too_large` or `invalid_request`, in
 * this order.
 */
export async function readForm(req: Request, max: number): Promise<URLSearchParams> {
  const type = req.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    throw new AppError('unsupported_media_type', 'Send the body as application/x-www-form-urlencoded.')
  }
  try {
    return new URLSearchParams(utf8.decode(await readBytes(req, max)))
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('invalid_request', 'The body is not valid UTF-8.')
  }
}

/** True for no bytes and for `{}`. */
const isEmptyBody = (bytes: Buffer): boolean =>
  bytes.length <= 16 && ['', '{}'].includes(bytes.toString('latin1').replaceAll(/\s/g, ''))

/**
 * The body of a request that needs none. An empty one or `{}` is an empty object whatever its type,
 * because clients send a type without a body and a body without a type. Any other is read like
 * `readJson`, and throws the same.
 */
export async function readOptionalJson(req: Request, max: number): Promise<RequestJson> {
  const bytes = await readBytes(req, max)
  if (isEmptyBody(bytes)) return parseJson(Buffer.from('{}'))
  requireJsonType(req)
  return parseJson(bytes)
}
