import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { backgroundWork } from '../../kit/background'
import { log } from '../../kit/log'
import { beginShutdown } from '../../kit/shutdown'
import { openStreams } from '../../kit/sse'
import { abortOpenRequests } from './abort-requests'
import type { InFlight } from './http-server'
import { closeConnectionAfter, type OpenResponses } from './open-responses'

/** The longest a call may take, plus some: what a shutdown waits for calls in progress. */
const DRAIN_MS = 290_000
const POLL_MS = 50
/**
 * How long connections that are kept alive may bring another request, milliseconds: its response
 * says that it is the last one. Closed at once, a request that is on its way would be cut off.
 */
const LAST_REQUEST_MS = 1_000
/** How long connections without a request may stay once no call is in progress, milliseconds. */
const IDLE_MS = 1_000

/** Turns of the event loop without a new connection, after which none waits to be accepted. */
const QUIET_TURNS = 3
/** How long accepting goes on, milliseconds, where connections never end. */
const ACCEPT_MS = 2_000

type Draining = {
  server: Server
  inFlight: InFlight
  open: OpenResponses
  /**
   * How long `/readyz` says `draining` before the listener closes, so that load balancers send
   * nothing more.
   */
  delayMs: number
  /**
   * Another process listens on the same port: this one leaves it at once, so that no health check
   * and no new connection meets a process that is about to end.
   */
  isReplaced?: boolean
  /** Aborts when nobody wants to wait any longer. */
  hurry: AbortSignal
}

const isOver = (until: number, hurry: AbortSignal) => hurry.aborted || Date.now() >= until

const countConnections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)))

/**
 * Takes no more connections, and leaves those there are as they are: `server.close` would cut idle
 * ones at once. Resolves when the last one has ended.
 */
const closeListener = (server: Server): Promise<void> =>
  new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()))

/**
 * Accepts the connections that wait: the system resets them when the listener closes, and a turn of
 * the event loop accepts one.
 */
async function acceptWaiting(server: Server, hurry: AbortSignal): Promise<void> {
  const until = Date.now() + ACCEPT_MS
  let quiet = 0
  const count = () => {
    quiet = -1
  }
  server.on('connection', count)
  while (quiet < QUIET_TURNS && !isOver(until, hurry)) {
    await setImmediate()
    quiet++
  }
  server.off('connection', count)
}

/**
 * Stops taking connections and waits for the calls in progress, also those whose caller has left,
 * and for streams and pages to be sent. What cannot finish is ended with an error its caller can
 * read, and is not charged. Returns false when there was such a call.
 */
export async function drainServer({ server, inFlight, open, delayMs, isReplaced, hurry }: Draining): Promise<boolean> {
  const calls = () => Math.max(inFlight.count + openStreams.count, open.size) + backgroundWork.count
  beginShutdown()
  for (const res of open) closeConnectionAfter(res)
  log.info({ calls: calls(), delayMs }, 'draining')
  const lastRequestMs = (await countConnections(server)) > 0 ? LAST_REQUEST_MS : 0
  let closed = isReplaced ? closeListener(server) : undefined
  await sleep(Math.max(isReplaced ? 0 : delayMs, lastRequestMs), undefined, { signal: hurry }).catch(() => {})

  if (!closed) await acceptWaiting(server, hurry)
  closed ??= closeListener(server)
  const until = Date.now() + DRAIN_MS
  do {
    while (calls() > 0 && !isOver(until, hurry)) {
      server.closeIdleConnections()
      await sleep(POLL_MS)
    }
    server.closeIdleConnections()
    // Connections that are open and silent may still bring a request.
    if (!hurry.aborted) await Promise.race([closed, sleep(IDLE_MS)])
    // On a busy loop a timer comes before the reading of what arrived in its time.
    await setImmediate()
  } while (calls() > 0 && !isOver(until, hurry))

  const left = calls()
  if (left > 0) {
    log.error({ calls: left, hurried: hurry.aborted }, 'calls are ended by the shutdown')
    await abortOpenRequests(server, open)
  }
  server.closeAllConnections()
  return left === 0
}
