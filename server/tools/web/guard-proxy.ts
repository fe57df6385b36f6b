import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type Duplex, finished } from 'node:stream'
import { type AddressGuard, bareHost, type DialFailure, dialFailure, guardedLookup } from '../../kit/dial'

/** One user of the proxy: its credentials, and what became of the targets it asked for. */
export type ProxySession = {
  username: string
  password: string
  /** How many connections to targets were made. */
  reached: number
  /** Targets that were not reached, as `host:port`. */
  failures: Map<string, DialFailure>
  /** Ends the session and every connection it still has. */
  close: () => void
}

export type GuardProxy = {
  /** `http://127.0.0.1:<port>` */
  url: string
  /** `onReached` is called for every connection to a target. */
  open: (onReached?: () => void) => ProxySession
  close: () => Promise<void>
}

type Session = ProxySession & { sockets: Set<Duplex>; arrive: () => void }
type Sessions = Map<string, Session>

/** Answered by the proxy itself, so that a client can log in before it asks for anything else. */
export const GREETING_URL = 'http://guard.invalid/'

/** On the proxy's own answers: why a plain request has no other. */
export const FAILURE_HEADER = 'x-guard-failure'

const CONNECT_TIMEOUT_MS = 10_000
const HOP_BY_HOP = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

/**
 * A forward HTTP proxy on the loopback (absolute-form requests, and CONNECT for TLS and WebSockets)
 * that dials through the guard's checked lookup. Every request needs a session's credentials, so it
 * is not an open proxy for other local users.
 */
export async function startGuardProxy(guard: AddressGuard): Promise<GuardProxy> {
  const sessions: Sessions = new Map()
  const server = createServer((req, res) => forward(guard, sessions, req, res))
  server.on('connect', (req, socket, head) => tunnel(guard, sessions, req, { socket, head }))
  server.on('clientError', (_error, socket) => socket.destroy())
  // Exclusive: processes of one launcher would else share the port, and know nothing of each
  // other's sessions.
  const address = { port: 0, host: '127.0.0.1', exclusive: true }
  await new Promise<void>((done, fail) => server.once('error', fail).listen(address, done))
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    open: (onReached) => openSession(sessions, onReached),
    close: () => closeAll(server, sessions),
  }
}

function openSession(sessions: Sessions, onReached?: () => void): ProxySession {
  const username = randomBytes(8).toString('hex')
  const session: Session = {
    username,
    password: randomBytes(24).toString('hex'),
    reached: 0,
    failures: new Map(),
    sockets: new Set(),
    arrive: () => {
      session.reached++
      onReached?.()
    },
    close: () => {
      sessions.delete(username)
      for (const socket of session.sockets) socket.destroy()
    },
  }
  sessions.set(username, session)
  return session
}

async function closeAll(server: Server, sessions: Sessions): Promise<void> {
  for (const session of [...sessions.values()]) session.close()
  server.closeAllConnections()
  await new Promise<void>((done) => server.close(() => done()))
}

function sessionOf(sessions: Sessions, req: IncomingMessage): Session | undefined {
  const basic = /^Basic (.+)$/i.exec(req.headers['proxy-authorization'] ?? '')?.[1] ?? ''
  const [username = '', password = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':')
  const session = sessions.get(username)
  const [given, wanted] = [Buffer.from(password), Buffer.from(session?.password ?? '')]
  return given.length === wanted.length && given.length > 0 && timingSafeEqual(given, wanted) ? session : undefined
}

const keep = (session: Session, socket: Duplex) => {
  session.sockets.add(socket)
  finished(socket, () => session.sockets.delete(socket))
}

function forward(guard: AddressGuard, sessions: Sessions, req: IncomingMessage, res: ServerResponse): void {
  const session = sessionOf(sessions, req)
  if (!session) return void res.writeHead(407, { 'proxy-authenticate': 'Basic realm="guard"' }).end()
  if (req.url === GREETING_URL) return void res.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')
  const url = URL.canParse(req.url ?? '') ? new URL(req.url ?? '') : null
  if (url?.protocol !== 'http:') return void res.writeHead(400).end()
  const port = Number(url.port || 80)
  const fail = (error: unknown) => {
    const failure = failed(session, `${url.hostname}:${port}`, error)
    const headers = { 'content-type': 'text/plain', [FAILURE_HEADER]: failure }
    if (res.headersSent) res.destroy()
    else res.writeHead(statusOf(failure), headers).end('The target cannot be reached.\n')
  }
  try {
    const lookup = guardedLookup({ owner: session.username, ...guard }, url.hostname, port)
    const headers = { ...passOn(req.rawHeaders), host: url.host, connection: 'close' }
    const path = `${url.pathname}${url.search}`
    const host = bareHost(url.hostname)
    const out = request({ host, port, path, method: req.method, headers, lookup, agent: false, setHost: false })
    out.on('socket', (socket: Socket) => {
      keep(session, socket)
      limitConnecting(socket)
      socket.once('connect', session.arrive)
    })
    out.on('response', (reply) => {
      res.writeHead(reply.statusCode ?? 502, reply.statusMessage, rawPassOn(reply.rawHeaders))
      reply.on('error', () => res.destroy())
      reply.pipe(res)
    })
    out.on('error', fail)
    res.on('close', () => out.destroy())
    req.pipe(out)
  } catch (error) {
    fail(error)
  }
}

function tunnel(
  guard: AddressGuard,
  sessions: Sessions,
  req: IncomingMessage,
  client: { socket: Duplex; head: Buffer },
): void {
  const { socket, head } = client
  socket.on('error', () => socket.destroy())
  const answer = (status: string, headers = '') =>
    socket.end(`HTTP/1.1 ${status}\r\n${headers}content-length: 0\r\n\r\n`)
  const session = sessionOf(sessions, req)
  if (!session) return void answer('407 Proxy Authentication Required', 'proxy-authenticate: Basic realm="guard"\r\n')
  // As a URL the authority comes out normalised: 0x7f.1 is 127.0.0.1.
  const authority = `https://${req.url}`
  const url = URL.canParse(authority) ? new URL(authority) : null
  if (url?.pathname !== '/' || url.username !== '') return void answer('400 Bad Request')
  const port = Number(url.port || 443)
  const fail = (error: unknown) => answer(`${statusOf(failed(session, `${url.hostname}:${port}`, error))} Not Reached`)
  try {
    const lookup = guardedLookup({ owner: session.username, ...guard }, url.hostname, port)
    const target = connect({ host: bareHost(url.hostname), port, lookup })
    limitConnecting(target)
    keep(session, target)
    keep(session, socket)
    target.once('error', fail)
    target.once('connect', () => {
      session.arrive()
      target.off('error', fail).on('error', () => socket.destroy())
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      target.write(head)
      socket.pipe(target).pipe(socket)
    })
    socket.on('close', () => target.destroy())
    target.on('close', () => socket.end())
  } catch (error) {
    fail(error)
  }
}

function limitConnecting(socket: Socket): void {
  const timer = setTimeout(() => {
    socket.destroy(Object.assign(new Error('connecting took too long'), { code: 'ETIMEDOUT' }))
  }, CONNECT_TIMEOUT_MS)
  socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

function failed(session: Session, target: string, error: unknown): DialFailure {
  const failure = dialFailure(error)
  session.failures.set(target, failure)
  return failure
}

/** Tells a blocked target from an absent one. */
const statusOf = (failure: DialFailure): number => (failure === 'blocked' ? 403 : 502)

function rawPassOn(raw: string[]): string[] {
  const kept: string[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) {
    if (!HOP_BY_HOP.test(raw[i] ?? '')) kept.push(raw[i] ?? '', raw[i + 1] ?? '')
  }
  return kept
}

function passOn(raw: string[]): Record<string, string> {
  const kept: Record<string, string> = {}
  const list = rawPassOn(raw)
  for (let i = 0; i + 1 < list.length; i += 2) kept[(list[i] ?? '').toLowerCase()] = list[i + 1] ?? ''
  return kept
}
