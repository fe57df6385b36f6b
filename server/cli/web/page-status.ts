import type { IncomingMessage, ServerResponse } from 'node:http'
import { type PageRequest, pageRequest } from '../../kit/page-request'

type Listener = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>

/**
 * Next answers 500 whatever a page throws. Where that was because the database is away it is 503 with Retry-After: a
 * proxy in front may then try another instance, and a client come back.
 */
export const withDatabaseStatus =
  (toNext: Listener): Listener =>
  (req, res) => {
    const run: PageRequest = { isDatabaseDown: false }
    const { writeHead } = res
    // Three signatures; all but the status is passed through as it came.
    res.writeHead = ((status: number, ...rest: unknown[]) => {
      const isAway = status === 500 && run.isDatabaseDown
      if (isAway) res.setHeader('retry-after', '2')
      return Reflect.apply(writeHead, res, [isAway ? 503 : status, ...rest])
    }) as typeof writeHead
    return pageRequest().run(run, () => toNext(req, res))
  }
