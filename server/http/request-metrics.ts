import { boundChildren } from '../kit/metrics/bound-children'
import { counter, gauge, histogram } from '../kit/metrics/registry'
import { setSpanRoute } from '../kit/tracing/http-spans'

const requests = boundChildren(
  counter('tollgate_requests_total', 'Requests answered, by route, method and status', ['route', 'method', 'status']),
)
const firstByte = boundChildren(
  histogram('tollgate_request_first_byte_seconds', 'Time until the head of the answer, by route and status', {
    labelNames: ['route', 'status'],
  }),
)
const duration = boundChildren(
  histogram('tollgate_request_duration_seconds', 'Time until the end of the answer, streams included', {
    labelNames: ['route', 'status'],
  }),
)
const inFlight = gauge('tollgate_requests_in_flight', 'Requests whose answer has not ended')

/** Methods that a label names; clients may send any. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** What a client that disconnected before the head of its answer counts as. */
const CLIENT_CLOSED = 499

/** The route of requests that one mount serves under many. */
const refined = new WeakMap<Request, string>()

/** Says which route of its mount serves a request: a pattern, never a path as it came. */
export function setRequestRoute(req: Request, route: string): void {
  refined.set(req, route)
  setSpanRoute(req.method, route)
}

export const requestRouteOf = (req: Request): string | undefined => refined.get(req)

/** One request that is measured, from its head to the end of its answer. */
export type MeasuredRequest = {
  /** Called with the head of the answer; without a call, `ended` counts the client as gone. */
  answered: (status: number, route?: string) => void
  /** Called once, when the answer has ended or its connection has. */
  ended: () => void
}

/** Begins to measure a request. `route` is a pattern, of which there are few. */
export function measureRequest(route: string, method = ''): MeasuredRequest {
  const started = performance.now()
  let outcome: { route: string; status: string } | null = null
  inFlight.inc()
  const answered: MeasuredRequest['answered'] = (status, refinedRoute = route) => {
    if (outcome) return
    outcome = { route: refinedRoute, status: String(status) }
    requests(outcome.route, METHODS.has(method) ? method : 'other', outcome.status).inc()
    firstByte(outcome.route, outcome.status).observe((performance.now() - started) / 1_000)
  }
  const ended = () => {
    inFlight.dec()
    answered(CLIENT_CLOSED)
    const { route, status } = outcome as unknown as { route: string; status: string }
    duration(route, status).observe((performance.now() - started) / 1_000)
  }
  return { answered, ended }
}
