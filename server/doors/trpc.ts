import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { makeContext } from '../api/context'
import { appRouter } from '../api/router'
import { asDoor } from './exchange'
import { sameOrigin } from './origin'

/** `/api/trpc`: the dashboard's own procedures, for the signed-in owner's browser and no other site. */
export const trpcDoor = asDoor(
  'trpc',
  async ({ req, requestId, reply }) => {
    sameOrigin(req)
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
