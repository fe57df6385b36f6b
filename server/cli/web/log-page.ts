import type { IncomingMessage, ServerResponse } from 'node:http'
import { log } from '../../kit/log'
import { currentSpan } from '../../kit/tracing/tracer'
import { pathAsked } from './trace-request'

/** A file that a page consists of, as opposed to the page. */
const isAsset = (path: string): boolean => path.startsWith('/_next/') || /\.\w+$/.test(path)

/**
 * Logs a page's request when its response has ended, as handlers log theirs; files of pages at the
 * level debug. A handler that Next called has logged the request itself, under its own id.
 */
export function logPage(req: IncomingMessage, res: ServerResponse, requestId: string): void {
  const started = performance.now()
  const path = pathAsked(req)
  currentSpan()?.setAttribute('tollgate.request.id', requestId)
  res.once('close', () => {
    if (res.getHeader('x-request-id') !== requestId) return
    const line = {
      requestId,
      method: req.method,
      path,
      status: res.statusCode,
      ms: Math.round(performance.now() - started),
      ...(!res.writableFinished && { disconnected: true }),
    }
    if (isAsset(path)) log.debug(line, 'page file')
    else log.info(line, 'page')
  })
}
