import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '../../kit/log'
import { openStreams } from '../../kit/sse'
import type { InFlight } from './listen'

/** Longest a call may take, plus some: what a shutdown waits for calls under way. */
const DRAIN_MS = 290_000

/**
 * Stops taking connections and waits for the calls under way, also those whose caller has left, and for streams to
 * end. Answers false when some were still running at the end.
 */
export async function drain(server: Server, inFlight: InFlight, withinMs = DRAIN_MS): Promise<boolean> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const until = Date.now() + withinMs
  const running = () => inFlight.count + openStreams().count
  while (running() > 0 && Date.now() < until) {
    await sleep(50)
    server.closeIdleConnections()
  }
  const clean = running() === 0
  if (!clean) log.error({ calls: running() }, 'calls still ran when the shutdown had waited long enough')
  // What is left now are answers on their way and idle keep-alive connections.
  await Promise.race([closed, sleep(1_000)])
  server.closeAllConnections()
  return clean
}
