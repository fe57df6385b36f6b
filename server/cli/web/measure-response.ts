import type { IncomingMessage, ServerResponse } from 'node:http'
import { type MeasuredRequest, measureRequest } from '../../http/request-metrics'

/** Measures a request up to the end of its response, or of its connection. */
export function measureResponse(req: IncomingMessage, res: ServerResponse, route: string): MeasuredRequest {
  const measured = measureRequest(route, req.method)
  res.once('close', () => {
    if (res.headersSent) measured.answered(res.statusCode)
    measured.ended()
  })
  return measured
}

/** The same for a response that only Node knows the head of: a page, a refusal. */
export function measurePage(req: IncomingMessage, res: ServerResponse, route: string): void {
  const measured = measureResponse(req, res, route)
  const { writeHead } = res
  // Three signatures; all is passed through.
  res.writeHead = ((...given: unknown[]) => {
    const written = Reflect.apply(writeHead, res, given)
    measured.answered(res.statusCode)
    return written
  }) as typeof writeHead
}
