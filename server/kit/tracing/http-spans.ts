import { currentSpan, currentTracer, type OpenSpan, type Tracer } from './tracer'

const NO_HEADERS: Record<string, string> = {}

/** Names the span of a request that came in by its route: a pattern, never a path as it came. */
export function setSpanRoute(method: string, route: string): void {
  currentSpan()?.updateName(`${method} ${route}`).setAttribute('http.route', route)
}

type OutgoingRequest = {
  method: string
  url: string | URL
  /** Chosen by a stranger: such a host gets no `traceparent`. */
  isForeign?: boolean
}

/**
 * Sends a request in a span of its own. `send` gets the headers that continue the trace there: none
 * while tracing is off. The span names the host and nothing else of the address, because paths and
 * queries have what people asked.
 */
export function withClientSpan<T extends { statusCode: number }>(
  request: OutgoingRequest,
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  const tracer = currentTracer()
  return tracer ? sendTraced(tracer, request, send) : send(NO_HEADERS)
}

async function sendTraced<T extends { statusCode: number }>(
  tracer: Tracer,
  { method, url, isForeign }: OutgoingRequest,
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  const { hostname, port, protocol } = new URL(url)
  const scheme = protocol.slice(0, -1)
  const open: OpenSpan = tracer.open({
    name: method,
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'server.address': hostname,
      'server.port': Number(port || (scheme === 'https' ? 443 : 80)),
      'url.scheme': scheme,
    },
  })
  try {
    const headers = isForeign ? NO_HEADERS : tracer.headersFor(open.span.spanContext())
    const answer = await open.run(() => send(headers))
    open.span.setAttribute('http.response.status_code', answer.statusCode)
    if (answer.statusCode >= 400) open.fail({ code: String(answer.statusCode) })
    else open.span.end()
    return answer
  } catch (error) {
    open.fail(error)
    throw error
  }
}
