import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { needSameOrigin } from '../api/auth'
import { makeContext } from '../api/context'
import { appRouter } from '../api/router'
import { asDoor } from './exchange'

/** `/api/trpc`: the dashboard's own procedures, for the signed-in owner's browser and no other site. */
export const trpcDoor = asDoor(
  'trpc',
  async ({ req, requestId, reply }) => {
    if (req.method !== 'GET') needSameOrigin(req.headers)
    const response = await fetchRequestHandler({
      req,
      router: appRouter,
      endpoint: '/api/trpc',
      createContext: () => makeContext({ requestId, headers: req.headers, via: 'session', gone: req.signal, reply }),
    })
    response.headers.set('x-request-id', requestId)
    response.headers.set('cache-control', 'no-store')
    return response
  },
  { methods: ['GET', 'HEAD', 'POST'] },
)
