import type { ResponseMeta } from '../api/context'
import { AppError } from '../errors'
import { type BodySender, takeBodyBytes, UNCOUNTED_BYTES } from './body-budget'
import { parseBody, type RequestJson } from './parse-body'

const MIB = 1024 * 1024

/** Largest body of a JSON operation that names no other limit, bytes. */
export const DEFAULT_MAX_BODY = MIB

/** A body without Content-Length is counted in steps of this many bytes. */
const COUNTED_AHEAD = MIB

const tooLarge = (max: number) =>
  new AppError('payload_too_large', `The body must not exceed ${max >= MIB ? `${max / MIB} MiB` : `${max} bytes`}.`)

const incomplete = (cause: unknown): never => {
  throw new AppError('invalid_request', 'The connection closed before the whole body was received.', { cause })
}

/** True for a body that says how long it is, and is so short that anybody may send it. */
export const isSmallBody = ({ headers }: Request): boolean => {
  const length = headers.get('content-length')
  return length === null ? !headers.has('transfer-encoding') : Number(length) <= UNCOUNTED_BYTES
}

/** Throws `unsupported_media_type` for a compressed body, which may become of any size. */
function requirePlainBytes({ headers }: Request): void {
  const encoding = (headers.get('content-encoding') ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return
  throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding: it is read uncompressed only.')
}

/**
 * Reads a body of at most `max` bytes, all of which are counted as in progress first. Throws
 * `unsupported_media_type`, `payload_too_large`, `rate_limited` or `unavailable` without reading
 * further.
 */
async function readBytes(req: Request, max: number, sender: BodySender = 'visitors'): Promise<Buffer> {
  requirePlainBytes(req)
  const contentLength = req.headers.get('content-length')
  if (Number(contentLength ?? 0) > max) throw tooLarge(max)
  // The HTTP parser enforces this length, and reading at once is far cheaper than reading a stream.
  if (contentLength !== null && /^\d+$/.test(contentLength)) {
    if (Number(contentLength) > UNCOUNTED_BYTES) takeBodyBytes(req, sender, Number(contentLength))
    const bytes = Buffer.from(await req.arrayBuffer().catch(incomplete))
    if (bytes.length > max) throw tooLarge(max)
    return bytes
  }
  if (!req.body) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = req.body.getReader()
  let counted = UNCOUNTED_BYTES
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(incomplete)
      if (done) return Buffer.concat(chunks, size)
      size += value.length
      if (size > max) throw tooLarge(max)
      if (size > counted) {
        takeBodyBytes(req, sender, Math.min(max, size + COUNTED_AHEAD) - counted)
        counted = Math.min(max, size + COUNTED_AHEAD)
      }
      chunks.push(value)
    }
  } finally {
    // Not cancelled, which would close the connection before the response. The server closes it
    // later.
    reader.releaseLock()
  }
}

/** A request whose body was read with a limit, for code that would read one of any size. */
export async function withBoundedBody(req: Request, max: number): Promise<Request> {
  const { url, method, headers, signal } = req
  if (method === 'GET' || method === 'HEAD') return req
  return new Request(url, { method, headers, signal, body: new Uint8Array(await readBytes(req, max)) })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Throws `unsupported_media_type` unless the body's type is JSON. */
function requireJsonType(req: Request): void {
  const type = req.headers.get('content-type') ?? ''
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new AppError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.')
  }
}

/** A request whose body is read, and who sends it as far as that is known by then. */
export type BodySource = { req: Request; reply: ResponseMeta }

const ownerOf = ({ caller, ownerId }: ResponseMeta): number | undefined => caller?.ownerId ?? ownerId

/**
 * A request's JSON body, whose lists have at most `maxItems` items. Throws
 * `unsupported_media_type`, `payload_too_large`, `rate_limited` or `unavailable`, and
 * `invalid_request`, in this order.
 */
export async function readJson({ req, reply }: BodySource, max: number, maxItems?: number): Promise<RequestJson> {
  requireJsonType(req)
  const ownerId = ownerOf(reply)
  return parseBody(await readBytes(req, max, ownerId), { ownerId, maxItems, signal: req.signal })
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
export async function readOptionalJson(
  { req, reply }: BodySource,
  max: number,
  maxItems?: number,
): Promise<RequestJson> {
  const ownerId = ownerOf(reply)
  const bytes = await readBytes(req, max, ownerId)
  if (isEmptyBody(bytes)) return parseBody(Buffer.from('{}'), {})
  requireJsonType(req)
  return parseBody(bytes, { ownerId, maxItems, signal: req.signal })
}
