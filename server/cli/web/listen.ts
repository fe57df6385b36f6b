import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Door } from '../../doors/exchange'
import { doorAt, MOUNTS } from '../../doors/mounts'
import { isStrayOnSites } from '../../doors/site-host'
import { untilGone } from '../../kit/client-gone'
import { refusePage } from './refuse-page'

type Listener = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>

const PEER = 'x-tollgate-peer'

/** Puts the socket's address into a header of ours, whatever the caller sent under that name. */
function tellPeer(req: IncomingMessage): void {
  const kept: string[] = []
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    const name = req.rawHeaders[i] ?? ''
    if (name.toLowerCase() !== PEER) kept.push(name, req.rawHeaders[i + 1] ?? '')
  }
  const peer = req.socket.remoteAddress ?? ''
  req.rawHeaders = [...kept, PEER, peer]
  req.headers[PEER] = peer
}

/** The path of a request line as a URL has it: `/files/../keys` is `/keys`, which is no door's. */
function plainPath(target: string): string {
  const path = target.split(/[?#]/, 1)[0] ?? '/'
  if (!/[\\]|\/(\.|%2e)/i.test(path)) return path
  return URL.canParse(path, 'http://localhost') ? new URL(path, 'http://localhost').pathname : path
}

/** Calls of doors under way, also those whose caller has left. */
export type InFlight = { count: number }

/** Bad bytes on the wire: told in our envelope, then hung up. */
function refuseBytes(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, code] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', 'invalid_request']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'payload_too_large']
        : ['400 Bad Request', 'invalid_request']
  const body = JSON.stringify({ error: `${status.slice(4)}.`, code })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** The host of published sites serves nothing else: no page of ours ever shares an origin with one of theirs. */
function refuseStray(res: ServerResponse): void {
  res.writeHead(404, { 'content-type': 'application/json', connection: 'close' })
  res.end(JSON.stringify({ error: 'There is nothing at this address.', code: 'not_found' }))
}

/** Next tells pages nothing of a client that disconnects: what they read for it is cancelled through this signal. */
function servePage(toNext: Listener, req: IncomingMessage, res: ServerResponse): void {
  const gone = new AbortController()
  res.on('close', () => {
    if (!res.writableFinished) gone.abort()
  })
  void untilGone(gone.signal, () => toNext(req, res))
}

/**
 * The production HTTP server: public paths go straight to their doors, everything else to Next. Headers must come
 * within 15 s and a whole request within 2 min; a connection on which nothing moves for 5 min is closed, which is
 * longer than any call may take.
 */
export function makeServer(toNext: Listener, inFlight: InFlight): Server {
  const listenTo = (door: Door): Listener =>
    getRequestListener(
      async (req) => {
        inFlight.count++
        try {
          return await door(req)
        } finally {
          inFlight.count--
        }
      },
      { overrideGlobalObjects: false },
    )
  const listeners = new Map(MOUNTS.map(([, door]) => [door, listenTo(door)]))
  const server = createServer(
    { headersTimeout: 15_000, requestTimeout: 120_000, keepAliveTimeout: 65_000, maxHeaderSize: 32 * 1024 },
    (req, res) => {
      tellPeer(req)
      const path = plainPath(req.url ?? '/')
      const door = doorAt(path)
      if (isStrayOnSites(req.headers.host, path)) refuseStray(res)
      else if (door) void listeners.get(door)?.(req, res)
      else if (!refusePage(req, res)) servePage(toNext, req, res)
    },
  )
  server.setTimeout(300_000)
  server.on('clientError', refuseBytes)
  server.on('upgrade', (_req, socket) => socket.destroy())
  return server
}
