import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { canonicalTarget } from '../../http/api-paths'
import { setMessage } from '../../http/arrived-body'
import type { Handler } from '../../http/handler'
import { missingHandler } from '../../http/missing'
import { handlerAt, MOUNTS } from '../../http/mounts'
import { requestRouteOf } from '../../http/request-metrics'
import { isRefusedOnSitesHost, targetWithSite } from '../../http/site-host'
import { uuidv7 } from '../../kit/id'
import { watchBodyTimeout } from './body-timeout'
import { closeUnlessBodyRead, isConnectionClosing } from './close-connection'
import { measurePage, measureResponse } from './measure-response'
import { isMissingOfApi } from './missing-of-api'
import { withPageRequest } from './page-request'
import { makePageRouteFinder, readPageRoutes } from './page-routes'
import { headersTooLargeFor, type RawRefusal, REFUSALS, refusalBody, sendRefusal, sendSocketRefusal } from './refuse'
import { normalizeRequestHead } from './request-head'
import { type RequestListener, servePage } from './serve-page'
import { traceRequest } from './trace-request'

/** The path of a request line as a URL has it: `/files/../keys` is `/keys`, which is a page. */
function plainPath(target: string): string {
  const path = target.split(/[?#]/, 1)[0] ?? '/'
  if (!/[\\]|\/(\.|%2e)/i.test(path)) return path
  return URL.canParse(path, 'http://localhost') ? new URL(path, 'http://localhost').pathname : path
}

/** Calls in progress, including those whose client has disconnected. */
export type InFlight = { count: number }

/**
 * How long a client may take, milliseconds: for the head, for the whole request, between two parts
 * of its body.
 */
export type ClientTimeouts = { headMs: number; requestMs: number; bodyIdleMs: number; idleMs: number; checkMs: number }

const TIMEOUTS: ClientTimeouts = {
  headMs: 15_000,
  requestMs: 120_000,
  bodyIdleMs: 30_000,
  // Longer than any call may take.
  idleMs: 300_000,
  checkMs: 5_000,
}

export type UpgradeListener = (req: IncomingMessage, socket: Duplex, head: Buffer) => void

export type HttpServerOptions = Partial<ClientTimeouts> & {
  /** Takes connections that ask to be upgraded: Next's in development. By default none is. */
  onUpgrade?: UpgradeListener
}

/** What Node reports of a request that is not there in time. */
const LATE: NodeJS.ErrnoException = Object.assign(new Error('the body stopped'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/**
 * The answer in progress on each connection: a refusal must not be written into the middle of it.
 */
type Answering = WeakMap<Socket, ServerResponse>

/**
 * Bytes that are not HTTP, or that came too late: refused in the API's envelope, and the connection
 * closed.
 */
function refuseBytes(error: NodeJS.ErrnoException, socket: Socket, answering: Answering): void {
  const isAnswering = answering.get(socket)?.headersSent === true && !answering.get(socket)?.writableFinished
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy()
  const refusal =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? REFUSALS.timeout
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? headersTooLargeFor(error)
        : REFUSALS.badRequest
  sendSocketRefusal(socket, refusal)
}

const handlerListener = (handler: Handler, inFlight: InFlight, route: string): RequestListener =>
  getRequestListener(
    async (req, { incoming, outgoing }) => {
      inFlight.count++
      setMessage(req, incoming as IncomingMessage)
      const measured =
        outgoing instanceof ServerResponse ? measureResponse(incoming as IncomingMessage, outgoing, route) : null
      try {
        const response = await handler(req)
        measured?.answered(response.status, requestRouteOf(req))
        if (outgoing instanceof ServerResponse) await closeUnlessBodyRead(outgoing)
        return response
      } finally {
        inFlight.count--
      }
    },
    {
      overrideGlobalObjects: false,
      autoCleanupIncoming: false,
      // Handlers answer their errors: only an invalid URL gets here.
      errorHandler: () => {
        const { status } = REFUSALS.badTarget
        return Response.json(refusalBody(REFUSALS.badTarget), { status, headers: { 'x-request-id': uuidv7() } })
      },
    },
  )

function refuse(req: IncomingMessage, res: ServerResponse, refusal: RawRefusal): Promise<void> {
  measurePage(req, res, 'refused')
  return sendRefusal(res, refusal)
}

/**
 * The production HTTP server: public paths go straight to their handlers, everything else to Next.
 * No body is read beyond what its handler takes, none is waited for longer than `timeouts` say, and
 * a connection on which nothing moves is closed.
 */
export function createHttpServer(
  toNext: RequestListener,
  inFlight: InFlight,
  { onUpgrade, ...timeouts }: HttpServerOptions = {},
): Server {
  const { headMs, requestMs, checkMs, ...idle } = { ...TIMEOUTS, ...timeouts }
  const mounts: readonly (readonly [string, Handler])[] = [...MOUNTS, ['missing', missingHandler]]
  const listeners = new Map(mounts.map(([at, handler]) => [handler, handlerListener(handler, inFlight, at)]))
  const routes = new Map(mounts.map(([at, handler]) => [handler, at]))
  const answering: Answering = new WeakMap()
  const toPage = withPageRequest(toNext)
  const pages = readPageRoutes()
  const pageRouteOf = makePageRouteFinder(pages)

  const serve: RequestListener = (req, res) => {
    const { socket } = req
    // What a client sent behind a body that was not read is not a request.
    if (isConnectionClosing(socket)) return
    answering.set(socket, res)
    const refusal = normalizeRequestHead(req)
    if (refusal) return void refuse(req, res, refusal)
    watchBodyTimeout(req, res, { ...idle, onStall: () => refuseBytes(LATE, socket, answering) })
    const { host } = req.headers
    if (isRefusedOnSitesHost(host, plainPath(req.url ?? '/'))) return void refuse(req, res, REFUSALS.stray)
    req.url = canonicalTarget(targetWithSite(host, req.url ?? '/'))
    const path = plainPath(req.url)
    const send = (handler: Handler) =>
      traceRequest(req, res, routes.get(handler), () => listeners.get(handler)?.(req, res))
    const handler = handlerAt(path)
    if (handler) return void send(handler)
    const route = pageRouteOf(path)
    if (isMissingOfApi(req, path, { route, isBuilt: pages.length > 0 })) return void send(missingHandler)
    measurePage(req, res, route)
    void traceRequest(req, res, route, () => servePage(req, res, toPage))
  }

  const server = createServer(
    {
      headersTimeout: headMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkMs,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 32 * 1024,
      // Health checks of load balancers speak HTTP/1.0.
      requireHostHeader: false,
      // A request for an upgrade is only an offer: Java's client makes it with every request.
      shouldUpgradeCallback: ({ url }) => onUpgrade !== undefined && url?.startsWith('/_next/') === true,
    },
    serve,
  )
  server.setTimeout(idle.idleMs)
  if (onUpgrade) server.on('upgrade', onUpgrade)
  server.on('checkContinue', (req, res) => {
    continueWhenRead(req, res)
    void serve(req, res)
  })
  server.on('clientError', (error, socket: Socket) => refuseBytes(error, socket, answering))
  server.on('connect', (_req, socket: Socket) => sendSocketRefusal(socket, REFUSALS.noTunnel))
  return server
}

/**
 * Asks a client that waits for `100 Continue` for its body only when its handler begins to read.
 */
function continueWhenRead(req: IncomingMessage, res: ServerResponse): void {
  const read = req._read
  req._read = (size) => {
    req._read = read
    if (!res.headersSent) res.writeContinue()
    read.call(req, size)
  }
}
