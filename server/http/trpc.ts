import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { requireSameOrigin } from '../api/auth'
import { makeContext } from '../api/context'
import { appRouter } from '../api/router'
import { DEFAULT_MAX_BODY, withBoundedBody } from './body'
import { makeHandler } from './handler'

/** Most calls in one request; the dashboard's pages send a few. */
const MAX_BATCH = 20

/** `/api/trpc`: the dashboard's procedures, for the signed-in owner's browser and no other site. */
export const trpcHandler = makeHandler(
  'trpc',
  async ({ req, requestId, reply }) => {
    if (req.method !== 'GET') requireSameOrigin(req.headers)
    const response = await fetchRequestHandler({
      req: await withBoundedBody(req, DEFAULT_MAX_BODY),
      maxBatchSize: MAX_BATCH,
      router: appRouter,
      endpoint: '/api/trpc',
      createContext: () => makeContext({ requestId, headers: req.headers, via: 'session', signal: req.signal, reply }),
    })
    response.headers.set('x-request-id', requestId)
    response.headers.set('cache-control', 'no-store')
    return response
  },
  { methods: ['GET', 'HEAD', 'POST'] },
)
