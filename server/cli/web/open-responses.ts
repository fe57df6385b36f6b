import type { Server, ServerResponse } from 'node:http'
import { isShuttingDown } from '../../kit/shutdown'

/** The responses of a server that are not yet sent to their end, pages included. */
export type OpenResponses = ReadonlySet<ServerResponse>

/**
 * Keeps track of a server's open responses. Those begun during a shutdown ask their client for a
 * new connection.
 */
export function trackOpenResponses(server: Server): OpenResponses {
  const open = new Set<ServerResponse>()
  server.prependListener('request', (_req, res: ServerResponse) => {
    open.add(res)
    res.once('close', () => open.delete(res))
    if (isShuttingDown()) closeConnectionAfter(res)
  })
  return open
}

/** Has a connection end with this response, if its headers are still to be sent. */
export function closeConnectionAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('connection', 'close')
}
