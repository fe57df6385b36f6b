import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasRequestBody } from './close-connection'

type Timeouts = {
  /** Longest pause in a body that is still arriving, milliseconds. */
  bodyIdleMs: number
  /** Longest time a connection may be silent otherwise. */
  idleMs: number
}

/**
 * Calls `onStall` when a body stops arriving for a while. A small body comes together with its head
 * and costs nothing here; a handler that has not read what did arrive is waited for.
 */
export function watchBodyTimeout(
  req: IncomingMessage,
  res: ServerResponse,
  { bodyIdleMs, idleMs, onStall }: Timeouts & { onStall: () => void },
): void {
  if (!hasRequestBody(req)) return
  const { socket } = req
  const watch = () => {
    if (req.complete || socket.destroyed) return
    socket.setTimeout(bodyIdleMs)
    const restore = () => {
      res.off('timeout', onTimeout)
      socket.setTimeout(idleMs)
    }
    const stopIfStill = (bytesRead: number) => {
      if (req.complete || socket.destroyed || socket.bytesRead > bytesRead) return
      if (req.readableLength === 0) return onStall()
      restore()
    }
    // Timers run before sockets are read: what waited behind a busy event loop has arrived in time.
    const onTimeout = () => setImmediate(stopIfStill, socket.bytesRead)
    res.on('timeout', onTimeout)
    req.once('end', restore)
  }
  // By then the parser has been through what came with the head.
  setImmediate(watch)
}
