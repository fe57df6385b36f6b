import type { ResponseMeta } from '../api/context'
import { AppError } from '../errors'
import { uuidv7 } from '../kit/id'
import { log } from '../kit/log'
import { metrics } from '../kit/metrics'
import { responseHeaders, sendError } from './response'

/** A door: a plain function of the web platform, mounted by Next and by the production server alike. */
export type Handler = (req: Request) => Promise<Response>

export type Exchange = { req: Request; requestId: string; reply: ResponseMeta; headers: () => Record<string, string> }

/** What a door that is only read from serves. */
export const READ_METHODS = ['GET', 'HEAD'] as const

/** The path of a request without its query; cheaper than a URL object. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  if (start < 0) return '/'
  const end = url.slice(start).search(/[?#]/)
  return end < 0 ? url.slice(start) : url.slice(start, start + end)
}

/** A wrong method, with what is allowed. */
export const methodNotAllowed = (
  allowed: readonly string[],
  headers: Record<string, string>,
  refuse: SendError = sendError,
): Response => {
  const allow = allowed.join(', ')
  return refuse(new AppError('method_not_allowed', `Use ${allow}.`), { ...headers, allow })
}

/** How a door says no: in which envelope. */
export type SendError = (thrown: unknown, headers: Record<string, string>) => Response

type DoorOptions = {
  /** Methods served; others are answered 405. */
  methods?: readonly string[]
  sendError?: SendError
}

/** Gives a handler its request id, and its outcome a log line, a metric and, where it threw, an error body. */
export function makeHandler(
  name: string,
  handle: (exchange: Exchange) => Promise<Response>,
  { methods, sendError: refuse = sendError }: DoorOptions = {},
): Handler {
  return async (req) => {
    const started = performance.now()
    const requestId = uuidv7()
    const reply: ResponseMeta = {}
    const headers = () => responseHeaders(requestId, reply)
    const response =
      methods && !methods.includes(req.method)
        ? methodNotAllowed(methods, headers(), refuse)
        : await handle({ req, requestId, reply, headers }).catch((error) => refuse(error, headers()))
    const ms = performance.now() - started
    metrics().requests.inc({ door: name, status: response.status })
    metrics().seconds.observe({ door: name }, ms / 1000)
    log.info(
      {
        requestId,
        method: req.method,
        path: pathOf(req.url),
        status: response.status,
        ms: Math.round(ms),
        key: reply.caller?.keyId,
      },
      name,
    )
    return response
  }
}
