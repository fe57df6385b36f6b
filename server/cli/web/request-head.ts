import type { IncomingMessage } from 'node:http'
import { env } from '../../env'
import { type RawRefusal, REFUSALS } from './refuse'

const PEER = 'x-tollgate-peer'

/** A request target of `OPTIONS *`, which asks about the server as a whole. */
const WHOLE_SERVER = '*'

/**
 * Brings the head of a request into the form that handlers rely on: a target that is a path, one
 * Host (RFC 9112, 3.2), and the socket's address in a header that we set, whatever the caller sent
 * under that name. Returns why it cannot.
 */
export function normalizeRequestHead(req: IncomingMessage): RawRefusal | null {
  const kept: string[] = []
  let hosts = 0
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    const name = (req.rawHeaders[i] ?? '').toLowerCase()
    if (name === 'host') hosts++
    if (name !== PEER) kept.push(req.rawHeaders[i] ?? '', req.rawHeaders[i + 1] ?? '')
  }
  if (hosts > 1) return REFUSALS.twoHosts
  const peer = req.socket.remoteAddress ?? ''
  kept.push(PEER, peer)
  req.rawHeaders = kept
  req.headers[PEER] = peer
  const target = req.url ?? '/'
  if (!target.startsWith('/')) return fromAbsolute(req, target)
  if (!req.headers.host) setHost(req, new URL(env().PUBLIC_URL).host)
  return null
}

/**
 * `GET http://host/path`, as clients send it to a proxy: its authority is the host, whatever Host
 * says.
 */
function fromAbsolute(req: IncomingMessage, target: string): RawRefusal | null {
  if (target === WHOLE_SERVER && req.method === 'OPTIONS') return null
  const url = /^https?:\/\//i.test(target) && URL.canParse(target) ? new URL(target) : null
  if (!url) return REFUSALS.badTarget
  req.url = url.pathname + url.search
  setHost(req, url.host)
  return null
}

function setHost(req: IncomingMessage, host: string): void {
  const at = req.rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'host')
  if (at < 0) req.rawHeaders.push('Host', host)
  else req.rawHeaders[at + 1] = host
  req.headers.host = host
}
