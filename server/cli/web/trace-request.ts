import type { IncomingMessage, ServerResponse } from 'node:http'
import { currentTracer } from '../../kit/tracing/tracer'

/** What load balancers and collectors ask for all day. */
const UNTRACED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** The path of a request as the client wrote it, without its query. */
export const pathAsked = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] ?? '/'

/**
 * Serves a request in a span that ends with its response, streams included. A caller's
 * `traceparent` is its parent. Files of the build are not traced. `route` is a pattern.
 */
export function traceRequest<T>(req: IncomingMessage, res: ServerResponse, route = '', serve: () => T): T {
  const tracer = currentTracer()
  if (!tracer) return serve()
  const path = pathAsked(req)
  if (UNTRACED.has(path) || path.startsWith('/_next/static/')) return serve()
  const { method = '' } = req
  const { span, run, fail } = tracer.open({
    name: `${method} ${route}`,
    kind: 'server',
    parent: tracer.parentIn(req.headers),
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'url.path': path,
      'url.scheme': 'encrypted' in req.socket ? 'https' : 'http',
      'network.protocol.version': req.httpVersion,
    },
  })
  res.once('close', () => {
    span.setAttribute('http.response.status_code', res.statusCode)
    if (!res.writableFinished) span.setAttribute('tollgate.client_disconnected', true)
    if (res.statusCode >= 500) fail({ code: String(res.statusCode) })
    else span.end()
  })
  return run(serve)
}
