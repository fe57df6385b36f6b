import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '../../kit/log'
import type { InFlight } from './listen'

/** Longest a call may take, plus some: what a shutdown waits for calls under way. */
const DRAIN_MS = 290_000

/**
 * Stops taking connections and waits for the calls under way, also those whose caller has left. Answers false when
 * some were still running at the end.
 */
export async function drain(server: Server, inFlight: InFlight, withinMs = DRAIN_MS): Promise<boolean> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const until = Date.now() + withinMs
  while (inFlight.count > 0 && Date.now() < until) {
    await sleep(50)
    server.closeIdleConnections()
  }
  const clean = inFlight.count === 0
  if (!clean) log.error({ calls: inFlight.count }, 'calls still ran when the shutdown had waited long enough')
  // What is left now are answers on their way and idle keep-alive connections.
  await Promise.race([closed, sleep(1_000)])
  server.closeAllConnections()
  return clean
}
