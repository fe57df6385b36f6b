import { subscribe } from 'node:diagnostics_channel'
import { type ClientHttp2Stream, constants } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { Agent, buildConnector, Pool } from 'undici'
import { lookupThrough } from './public-address'
import { systemResolve } from './resolve'

/** Times of connections, ms; tests shorten them. */
export const connectionTiming = {
  /**
   * How long an idle connection with TLS is kept: less than the 60 s of common load balancers. One
   * without TLS is near and cheap to open, and its server may close it after 5 s.
   */
  idleTlsMs: 50_000,
  idleMs: 4_000,
  /** Between two pings of an HTTP/2 connection. */
  pingMs: 15_000,
}

/** Pings without a sign of life after which a connection is given up. */
const MAX_SILENT_PINGS = 3

/**
 * Connections to providers, at addresses that the operator set. Their callers limit the time:
 * undici's own limits would also count a slow reader. With `isHttp2`, calls to a provider that
 * speaks it over TLS share a connection, up to 100 at once in each.
 */
export function makeProviderAgent({ connectMs, isHttp2 }: { connectMs: number; isHttp2: boolean }): Agent {
  const { idleTlsMs, idleMs, pingMs } = connectionTiming
  const open = buildConnector({ timeout: connectMs, lookup: lookupThrough(systemResolve), allowH2: isHttp2 })
  const connect: buildConnector.connector = (dial, callback) =>
    open(dial, (error, socket) => {
      if (error !== null) return callback(error, null)
      if (speaksHttp2(socket)) closeWhenSilent(socket, pingMs)
      callback(null, socket)
    })
  return new Agent({
    connect,
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: isHttp2,
    h2Options: { pingInterval: pingMs },
    factory: (origin, options) =>
      new Pool(origin, {
        ...options,
        keepAliveTimeout: new URL(origin).protocol === 'https:' ? idleTlsMs : idleMs,
      }),
  })
}

const speaksHttp2 = (socket: Socket): boolean => (socket as Partial<TLSSocket>).alpnProtocol === 'h2'

/**
 * Closes an HTTP/2 connection whose server answers no pings, so that its calls fail and later ones
 * do not join them. TCP alone would go on trying for a quarter of an hour.
 */
function closeWhenSilent(socket: Socket, pingMs: number): void {
  let bytesRead = 0
  let silent = 0
  const watch = setInterval(() => {
    silent = socket.bytesRead === bytesRead ? silent + 1 : 0
    bytesRead = socket.bytesRead
    if (silent >= MAX_SILENT_PINGS) socket.destroy(new Error('the provider stopped answering on this connection'))
  }, pingMs).unref()
  socket.once('close', () => clearInterval(watch))
}

/**
 * How soon a server closes a kept connection that it had given up before a request came, ms: a
 * round trip. One that closes later was at work on it.
 */
const GIVEN_UP_MS = 1_000

/**
 * Requests without an answer yet, on HTTP/1.1 connections that had carried another before, with the
 * time when they were sent.
 */
const onKeptConnections = new WeakMap<object, number>()
const usedSockets = new WeakSet<Socket>()
const errorsOfKept = new WeakSet<object>()

subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as { request: object; socket: Socket }
  if (speaksHttp2(socket)) return
  if (usedSockets.has(socket)) onKeptConnections.set(request, performance.now())
  else usedSockets.add(socket)
})
subscribe('undici:request:headers', (message) => {
  onKeptConnections.delete((message as { request: object }).request)
})
subscribe('undici:request:error', (message) => {
  const { request, error } = message as { request: object; error: unknown }
  const sentAt = onKeptConnections.get(request) ?? Number.NEGATIVE_INFINITY
  if (error instanceof Error && performance.now() - sentAt < GIVEN_UP_MS) errorsOfKept.add(error)
})

subscribe('http2.client.stream.close', (message) => {
  const { stream } = message as { stream: ClientHttp2Stream }
  if (stream.rstCode !== constants.NGHTTP2_CANCEL || stream.destroyed) return
  // Node takes an answer that its server cancels for one that is complete.
  stream.on('error', () => {})
  stream.destroy(new Error('the provider cancelled its answer'))
})

const CLOSED: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/** How undici says that a request came after the last that a closing connection took. */
const AFTER_THE_LAST = 'HTTP/2: "GOAWAY" frame received'

/**
 * Whether a provider says that it has not acted on a request, which may then be sent again whatever
 * it asks for: HTTP/2 has refused streams, and those after the last that a closing connection took.
 */
export function wasRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { http2ErrorCode } = error as { http2ErrorCode?: unknown }
  return http2ErrorCode === constants.NGHTTP2_REFUSED_STREAM || error.message.startsWith(AFTER_THE_LAST)
}

/**
 * Whether a kept connection of HTTP/1.1 was closed at once when a request came, as servers do that
 * have just given up an idle one. Nothing proves that it was not acted on.
 */
export const wasGivenUp = (error: unknown): boolean =>
  error instanceof Error && CLOSED.has((error as { code?: unknown }).code) && errorsOfKept.has(error)
