import type { ResponseMeta } from '../api/context'
import { errorBody, retryAfterSeconds } from '../api/error-body'
import type { Deprecated } from '../api/operation-meta'
import { toAppError } from '../api/trpc'
import type { AppError } from '../errors'
import { sseBody } from '../kit/sse'
import { LightResponse } from './light-response'

const json = { 'content-type': 'application/json; charset=utf-8' }

/** The headers of every response: its id, the key's rate limit, what its Idempotency-Key did. */
export function responseHeaders(
  requestId: string,
  { rate, replayed, unstored, etag, adjusted, task, deprecated }: ResponseMeta,
): Record<string, string> {
  return {
    'x-request-id': requestId,
    'cache-control': 'no-store',
    ...(rate && {
      'x-ratelimit-limit-requests': String(rate.limit),
      'x-ratelimit-remaining-requests': String(rate.remaining),
      'x-ratelimit-reset-requests': String(rate.resetS),
    }),
    ...(etag !== undefined && { etag }),
    ...(task !== undefined && { location: task, 'preference-applied': 'respond-async' }),
    ...(deprecated && deprecationHeaders(deprecated)),
    ...(replayed && { 'idempotent-replayed': 'true' }),
    ...(unstored && { 'idempotency-stored': 'false' }),
    ...(adjusted && { 'x-tollgate-adjusted': adjusted }),
  }
}

/** RFC 9745 and RFC 8594. */
const deprecationHeaders = ({ since, sunset, instead }: Deprecated) => ({
  deprecation: `@${Date.parse(since) / 1_000}`,
  sunset: new Date(sunset).toUTCString(),
  link: `<${instead}>; rel="deprecation"; type="text/html"`,
})

/** A value as JSON; a string as Markdown. */
export function sendValue(status: number, value: unknown, headers: Record<string, string>): Response {
  if (typeof value !== 'string')
    return new LightResponse(JSON.stringify(value ?? null), { status, headers: { ...json, ...headers } })
  return new LightResponse(value, { status, headers: { 'content-type': 'text/markdown; charset=utf-8', ...headers } })
}

/** JSON in pieces: a single one is sent whole, several are written as their reader takes them. */
export async function sendJsonPieces(
  pieces: AsyncGenerator<string>,
  headers: Record<string, string>,
): Promise<Response> {
  const encoder = new TextEncoder()
  const first = await pieces.next()
  let next = await pieces.next()
  const init = { headers: { ...json, ...headers } }
  if (next.done) return new LightResponse(first.value, init)
  const body = new ReadableStream<Uint8Array>({
    start: (out) => out.enqueue(encoder.encode(first.value)),
    async pull(out) {
      if (next.done) return out.close()
      out.enqueue(encoder.encode(next.value))
      next = await pieces.next()
    },
  })
  return new Response(body, init)
}

type EventStream = {
  headers: Record<string, string>
  /** Called when the client disconnects. */
  onDisconnect: () => void
  /** The last event where a shutdown ends the stream, if that is not the usual `error`. */
  lastEventIfCut?: string
}

/** Server-sent events, each already written as text. */
export const sendEvents = (
  events: AsyncIterator<string>,
  { headers, onDisconnect, lastEventIfCut }: EventStream,
): Response =>
  new Response(sseBody(events, onDisconnect, { lastEventIfCut }), {
    headers: {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      // Proxies such as nginx would buffer the events.
      'x-accel-buffering': 'no',
    },
  })

/** The headers of an error. */
export function errorHeaders(error: AppError): Record<string, string> {
  const seconds = retryAfterSeconds(error)
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}

/** Any error as a response in the API's envelope. */
export function sendError(thrown: unknown, headers: Record<string, string>): Response {
  const error = toAppError(thrown)
  return sendValue(error.status, errorBody(error), { ...headers, ...errorHeaders(error) })
}
