import type { ResponseMeta } from '../api/context'
import { countAnswer } from '../api/count-answer'
import { AppError } from '../errors'
import { uuidv7 } from '../kit/id'
import { log } from '../kit/log'
import { currentSpan } from '../kit/tracing/tracer'
import { releaseBodyBytes } from './body-budget'
import { preflightResponse, shareResponse } from './cors'
import { responseHeaders, sendError } from './response'

/** An HTTP handler: a plain function, mounted by Next and by the production server alike. */
export type Handler = (req: Request) => Promise<Response>

/**
 * One request in progress. `reply` is what procedures report about its response, `headers` what
 * every response has.
 */
export type Exchange = { req: Request; requestId: string; reply: ResponseMeta; headers: () => Record<string, string> }

/** The methods of a handler that is only read from. */
export const READ_METHODS = ['GET', 'HEAD'] as const

/** The path of a request without its query; cheaper than a URL object. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  if (start < 0) return '/'
  const end = url.slice(start).search(/[?#]/)
  return end < 0 ? url.slice(start) : url.slice(start, start + end)
}

/** A 405, with the methods that are allowed. */
export const methodNotAllowed = (
  allowed: readonly string[],
  headers: Record<string, string>,
  send: SendError = sendError,
): Response => {
  const allow = allowed.join(', ')
  return send(new AppError('method_not_allowed', `Use ${allow}.`), { ...headers, allow })
}

/** Writes an error in a handler's own envelope. */
export type SendError = (thrown: unknown, headers: Record<string, string>) => Response

type HandlerOptions = {
  /** Methods served; any other is a 405. Undefined: all. */
  methods?: readonly string[]
  sendError?: SendError
  /** Asked every few seconds by whoever watches: a success is no line in the log. */
  isProbe?: boolean
  /** Another header that has the request's id, where clients look for it there. */
  idHeader?: string
}

/**
 * Gives a handler its request id, and its outcome a log line and, where it threw, an error body.
 */
export function makeHandler(
  name: string,
  handle: (exchange: Exchange) => Promise<Response>,
  { methods, sendError: send = sendError, isProbe, idHeader }: HandlerOptions = {},
): Handler {
  return async (req) => {
    const started = performance.now()
    const requestId = uuidv7()
    const reply: ResponseMeta = {}
    const headers = () => ({ ...responseHeaders(requestId, reply), ...(idHeader && { [idHeader]: requestId }) })
    const response =
      preflightResponse(req, headers()) ??
      (methods && !methods.includes(req.method)
        ? methodNotAllowed(methods, headers(), send)
        : await handle({ req, requestId, reply, headers }).catch((error) => send(error, headers())))
    releaseBodyBytes(req)
    shareResponse(req, response)
    currentSpan()?.setAttributes({
      'tollgate.request.id': requestId,
      ...(reply.key && { 'tollgate.key.id': reply.key.keyId, 'tollgate.owner.id': reply.key.ownerId }),
    })
    const ms = performance.now() - started
    countAnswer(reply, { requestId, status: response.status, ms })
    log[isProbe && response.ok ? 'debug' : 'info'](
      {
        requestId,
        method: req.method,
        path: pathOf(req.url),
        status: response.status,
        ms: Math.round(ms),
        failure: reply.failure,
        key: reply.key?.keyId,
        owner: reply.key?.ownerId ?? reply.ownerId,
      },
      name,
    )
    return response
  }
}

/**
 * A signal that aborts with the request, when `disconnect` is called, and with `other`, which may
 * live longer than the request.
 */
export function disconnectable(req: Request, other?: AbortSignal): { signal: AbortSignal; disconnect: () => void } {
  const reader = new AbortController()
  const gone = req.signal
  const follow = () => reader.abort(gone.reason)
  if (gone.aborted) follow()
  else gone.addEventListener('abort', follow, { once: true })
  const signal = other ? AbortSignal.any([reader.signal, other]) : reader.signal
  return { signal, disconnect: () => reader.abort() }
}
