import { errorBody } from '../api/error-body'
import { AppError } from '../errors'
import type { HostedFile } from '../files/shape'
import { uuidv7 } from '../kit/id'
import { log } from '../kit/log'
import { toRetryAfter } from '../kit/retry-after'
import { parseRange } from './byte-range'
import { isNotModified } from './etag'
import { visitorCaller } from './procedure'

/** Types shown in the browser; any other is a download. */
const INLINE = /^(image\/(png|jpeg|gif|webp)|video\/(mp4|webm)|audio\/mpeg|text\/plain|application\/pdf)\b/

/** A hosted file must never act as the dashboard that is served from the same origin. */
const POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/**
 * GET and HEAD of /files/{id}: public, immutable and harmless whatever is in it, with byte ranges.
 */
export async function filesHandler(req: Request): Promise<Response> {
  const requestId = uuidv7()
  try {
    const res = await answer(req)
    res.headers.set('x-request-id', requestId)
    return res
  } catch (error) {
    const known =
      error instanceof AppError
        ? error
        : new AppError('internal_error', 'Something went wrong on our side.', { cause: error })
    if (known.status >= 500) log.error({ requestId, err: known.cause ?? known }, 'a file could not be read')
    const headers = new Headers({
      'x-request-id': requestId,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    if (known.retryAfter !== undefined) headers.set('retry-after', String(toRetryAfter(known.retryAfter)))
    if (known.code === 'method_not_allowed') headers.set('allow', 'GET, HEAD')
    return Response.json(errorBody(known), { status: known.status, headers })
  }
}

async function answer(req: Request): Promise<Response> {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    throw new AppError('method_not_allowed', 'Files are read-only. Use GET or HEAD.')
  }
  const id = /^\/files\/([^/]+)$/.exec(new URL(req.url).pathname)?.[1] ?? ''
  const file = await visitorCaller(req).file(id)
  if (!file) throw fileNotFound()
  const headers = headersOf(file)
  if (isNotModified(req.headers.get('if-none-match'), file.etag)) return new Response(null, { status: 304, headers })
  const part = req.method === 'GET' ? parseRange(req.headers, file) : null
  if (part === 'unsatisfiable') {
    headers.set('content-range', `bytes */${file.bytes}`)
    return new Response(null, { status: 416, headers: withoutType(headers) })
  }
  headers.set('content-length', String(part ? part.end - part.start + 1 : file.bytes))
  if (req.method === 'HEAD') return new Response(null, { headers })
  const body = await file.open(part ?? undefined)
  if (!body) throw fileNotFound()
  if (!part) return new Response(body, { headers })
  headers.set('content-range', `bytes ${part.start}-${part.end}/${file.bytes}`)
  return new Response(body, { status: 206, headers })
}

const fileNotFound = () => new AppError('not_found', 'File not found.')

/** For a response without the file: it has no type, and must not be cached. */
function withoutType(headers: Headers): Headers {
  headers.delete('content-type')
  headers.delete('content-disposition')
  headers.set('cache-control', 'no-store')
  return headers
}

const headersOf = (file: HostedFile) =>
  new Headers({
    'content-type': file.contentType,
    'content-disposition': INLINE.test(file.contentType) ? 'inline' : 'attachment',
    'x-content-type-options': 'nosniff',
    'content-security-policy': POLICY,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    etag: file.etag,
  })
