import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'

/** The messages that requests are made of, as far as the server said. */
const messages = new WeakMap<Request, IncomingMessage>()

/** Largest body that is read and parsed before its caller is authenticated, bytes. */
const MAX_BYTES = 16 * 1024

/** Says which message a request is made of. */
export function setMessage(req: Request, message: IncomingMessage): void {
  messages.set(req, message)
}

/** True when a request's body is small and has arrived as a whole: nobody waits for it. */
export function hasArrived(req: Request): boolean {
  const message = messages.get(req)
  if (!message?.complete) return false
  const length = message.headers['content-length']
  return length !== undefined && Number(length) <= MAX_BYTES
}

/** The same by the end of this turn: what came together with the head is parsed by then. */
export async function arrivesWithHead(req: Request): Promise<boolean> {
  if (!hasArrived(req)) await setImmediate()
  return hasArrived(req)
}
