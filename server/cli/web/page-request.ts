import { type PageRequest, runPageRequest } from '../../kit/page-request'
import type { RequestListener } from './serve-page'

/**
 * Gives pages what Next does not: a signal that aborts when the client disconnects, and status 503
 * with Retry-After instead of 500 where the database is away, so that a proxy may try another
 * instance and a client may retry.
 */
export const withPageRequest =
  (toNext: RequestListener): RequestListener =>
  (req, res) => {
    const disconnected = new AbortController()
    const page: PageRequest = { signal: disconnected.signal, isDatabaseDown: false }
    // Next listens too, and everything that it pipes into the response.
    res.setMaxListeners(32)
    res.on('close', () => {
      if (!res.writableFinished) disconnected.abort()
    })
    const { writeHead } = res
    // Three signatures; everything but the status is passed through.
    res.writeHead = ((status: number, ...rest: unknown[]) => {
      const isUnavailable = status === 500 && page.isDatabaseDown
      if (isUnavailable) res.setHeader('retry-after', '2')
      return Reflect.apply(writeHead, res, [isUnavailable ? 503 : status, ...rest])
    }) as typeof writeHead
    return runPageRequest(page, () => toNext(req, res))
  }
