import type { ServiceReadiness } from '../api/readiness'
import { AppError } from '../errors'
import { uuidv7 } from '../kit/id'
import { isShuttingDown } from '../kit/shutdown'
import { type Handler, makeHandler, methodNotAllowed, READ_METHODS } from './handler'
import { sendError, sendValue } from './response'

/** `/healthz`: the process responds. */
export const healthHandler: Handler = async ({ method }) => {
  // Called every few seconds, so without a log line.
  const headers = { 'x-request-id': uuidv7(), 'cache-control': 'no-store' }
  return READ_METHODS.some((m) => m === method)
    ? sendValue(200, { status: 'ok' }, headers)
    : methodNotAllowed(READ_METHODS, headers)
}

/**
 * `/readyz`: the database responds too, so requests can be served. `status: "draining"` in a
 * shutdown. `read` says how the process is.
 */
export const makeReadyHandler = (read: (req: Request) => Promise<ServiceReadiness>): Handler =>
  makeHandler(
    'readyz',
    async ({ req, headers }) => {
      if (isShuttingDown()) {
        const detail = { status: 'draining' }
        return sendError(
          new AppError('unavailable', 'This process is shutting down.', { retryAfter: 1, detail }),
          headers(),
        )
      }
      const { isReady, ...report } = await read(req)
      if (isReady) return sendValue(200, { status: 'ready', ...report }, headers())
      return sendError(new AppError('unavailable', 'The database does not respond.', { retryAfter: 2 }), headers())
    },
    { methods: READ_METHODS, isProbe: true },
  )
