import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** What the protocol calls a CancelRequest. */
const CANCEL_REQUEST = 80_877_102

/** How long a request is given to take effect before the next one is sent. */
const REPEAT_MS = 200

/** How to reach a connection's server, and what proves that we may cancel what it runs. */
type Cancelable = { host?: string; port?: number; processID?: number | null; secretKey?: number | null }

/**
 * Asks the server to cancel what a connection runs, over other connections, as the protocol wants
 * it, until `ended` aborts: a request that arrives before the query itself does is lost. Resolves
 * when the last request was sent or could not be: whether one came in time only the query's own
 * outcome says. The connection must not be used again, for a late request would meet its next
 * query.
 */
export async function cancelQuery(client: pg.ClientBase, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await sendCancelRequest(client)
    await sleep(REPEAT_MS, undefined, { signal: ended }).catch(() => {})
  }
}

function sendCancelRequest(client: pg.ClientBase): Promise<void> {
  const { host, port, processID, secretKey } = client as pg.ClientBase & Cancelable
  if (!host || !port || !processID || typeof secretKey !== 'number') return Promise.resolve()
  const request = Buffer.alloc(16)
  request.writeInt32BE(16, 0)
  request.writeInt32BE(CANCEL_REQUEST, 4)
  request.writeInt32BE(processID, 8)
  request.writeInt32BE(secretKey, 12)
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    socket.setTimeout(2_000, () => socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.on('connect', () => socket.end(request))
    socket.on('close', () => resolve())
    socket.resume()
  })
}
