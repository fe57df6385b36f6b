import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Bytes still taken, and time given, so that a client that is still sending can read its answer.
 */
const LINGER_BYTES = 256 * 1024
const LINGER_MS = 1_000

const closing = new WeakSet<Socket>()

/** True when a request comes with a body, whatever its method. */
export const hasRequestBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** True once nothing that still arrives on a connection may be served. */
export const isConnectionClosing = (socket: Socket): boolean => closing.has(socket)

/**
 * Lets the parser get through what came together with the head: a small body is complete after
 * that.
 */
const parserTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * To be awaited before the head of an answer is written. Where the body has not arrived as a whole,
 * the answer is the connection's last: the rest is not read, which Node would do to its end in
 * order to keep the connection.
 */
export async function closeUnlessBodyRead(res: ServerResponse): Promise<void> {
  const { req } = res
  if (req.complete || !hasRequestBody(req)) return
  await parserTurn()
  if (req.complete || res.headersSent) return
  const { socket } = req
  res.setHeader('connection', 'close')
  closing.add(socket)
  // A body that nobody has begun to read would be read to its end by Node as soon as the answer is
  // out.
  if (!isUnasked(req)) req.read()
  socket.destroySoon = () => linger(req, socket)
}

/** The client waits for `100 Continue`, which it did not get: there is no body to read. */
const isUnasked = ({ headers, readableDidRead }: IncomingMessage): boolean =>
  !readableDidRead && headers.expect !== undefined

/**
 * Ends the sending side, and destroys the connection when the client has ended its own, or after a
 * while.
 */
function linger(req: IncomingMessage, socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  timer.unref()
  let taken = 0
  socket.once('close', () => clearTimeout(timer))
  req.removeAllListeners('data')
  req.on('data', (chunk: Buffer) => {
    taken += chunk.length
    if (taken > LINGER_BYTES) req.pause()
  })
  req.once('end', () => socket.destroy())
  socket.end()
}
