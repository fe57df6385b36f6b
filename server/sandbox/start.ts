import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { printLine } from '../kit/print-line'
import { hurrySlow, resetSlow } from './kit/failures'
import type { SandboxRoute } from './kit/route'
import { sandboxRoutes } from './routes'

type SandboxHandler = (req: Request) => Promise<Response>

type SandboxOptions = {
  port: number
  /** Nothing else runs here: the global Request and Response may be the server's lighter ones. */
  ownsProcess?: boolean
}

/**
 * Runs the simulated providers on 127.0.0.1 (port 0: a free one) until `stop`, which cuts open
 * connections. `GET /__calls` returns `{total, byPath}`; `POST /__hurry` ends the waits of slow
 * answers, and those to come; `POST /__reset` resets all of these; `GET /healthz` returns 200. None
 * of them is counted. `handle` is the same without HTTP. Rejects with the system's error, such as
 * EADDRINUSE, when it cannot listen.
 */
export async function startSandboxServer({
  port,
  ownsProcess = false,
}: SandboxOptions): Promise<{ url: string; handle: SandboxHandler; stop: () => Promise<void> }> {
  const handle = makeSandboxHandler(sandboxRoutes)
  const server = createAdaptorServer({ fetch: handle, overrideGlobalObjects: ownsProcess })
  // A client that keeps a connection must not find it closed as it sends the next request.
  if ('keepAliveTimeout' in server) server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      if ('closeAllConnections' in server) server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, handle, stop }
}

/** The handler of the sandbox; each has a separate count of calls. */
export function makeSandboxHandler(known: readonly SandboxRoute[]): SandboxHandler {
  const findRoute = makeRouteFinder(known)
  let byPath = new Map<string, number>()

  return async (req) => {
    const { pathname } = new URL(req.url)
    const asked = `${req.method} ${pathname}`
    if (asked === 'GET /healthz') return new Response('ok')
    if (asked === 'GET /__calls') {
      const total = [...byPath.values()].reduce((sum, n) => sum + n, 0)
      return Response.json({ total, byPath: Object.fromEntries(byPath) })
    }
    if (asked === 'POST /__hurry') {
      hurrySlow()
      return new Response(null, { status: 204 })
    }
    if (asked === 'POST /__reset') {
      byPath = new Map()
      resetSlow()
      return new Response(null, { status: 204 })
    }

    byPath.set(pathname, (byPath.get(pathname) ?? 0) + 1)
    const route = findRoute(asked)
    if (!route) return Response.json({ error: `The sandbox has nothing at ${asked}.` }, { status: 404 })
    try {
      return await route.handle(req)
    } catch (error) {
      printLine(`sandbox: ${asked}: ${error instanceof Error ? error.message : String(error)}`, 'info')
      return Response.json({ error: 'The sandbox failed.' }, { status: 500 })
    }
  }
}

/** Finds the route of a request: that of its exact path, else of the longest prefix. */
function makeRouteFinder(known: readonly SandboxRoute[]) {
  const isPrefix = ({ path }: SandboxRoute) => path.endsWith('*')
  const exact = new Map(
    known.filter((route) => !isPrefix(route)).map((route) => [`${route.method} ${route.path}`, route]),
  )
  const prefixes = known
    .filter(isPrefix)
    .map((route) => ({ route, start: `${route.method} ${route.path.slice(0, -1)}` }))
    .sort((a, b) => b.start.length - a.start.length)
  return (asked: string): SandboxRoute | undefined =>
    exact.get(asked) ?? prefixes.find(({ start }) => asked.startsWith(start))?.route
}
