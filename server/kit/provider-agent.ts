import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { Agent, buildConnector, Pool } from 'undici'
import { lookupThrough } from './public-address'
import { systemResolve } from './resolve'

/**
 * How long an idle connection is kept, ms. With TLS it costs two round trips to open, and common
 * load balancers close theirs after 60 s. One without is near, and servers close some after 5 s.
 */
export const IDLE_MS = { 'https:': 50_000, 'http:': 4_000 }

/**
 * Connections to providers, at addresses that the operator set, each to be opened within
 * `connectMs`. Their callers limit the time: undici's own limits would also count a slow reader.
 * HTTP/2 is not spoken: tests/bench/HISTORY.md says what it did.
 */
export const makeProviderAgent = (connectMs: number): Agent =>
  new Agent({
    connect: buildConnector({ timeout: connectMs, lookup: lookupThrough(systemResolve), allowH2: false }),
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    factory: (origin, options) => {
      const keepAliveTimeout = IDLE_MS[new URL(origin).protocol as keyof typeof IDLE_MS]
      return new Pool(origin, { ...options, keepAliveTimeout })
    },
  })

/**
 * How soon a server closes a kept connection that it had given up before a request came, ms: a
 * round trip. One that closes later was at work on it.
 */
const GIVEN_UP_MS = 1_000

/**
 * Requests without an answer yet, on connections that had carried another before, with the time
 * when they were sent.
 */
const onKeptConnections = new WeakMap<object, number>()
const usedSockets = new WeakSet<Socket>()
const errorsOfKept = new WeakSet<object>()

subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as { request: object; socket: Socket }
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

const CLOSED: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/**
 * Whether a kept connection was closed at once when a request came, as servers do that have just
 * given up an idle one. Nothing proves that it was not acted on.
 */
export const wasGivenUp = (error: unknown): boolean =>
  error instanceof Error && CLOSED.has((error as { code?: unknown }).code) && errorsOfKept.has(error)
