import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { requireSameOrigin } from '../api/auth'
import { makeContext } from '../api/context'
import { START_MAX_BODY } from '../api/public/agent'
import { appRouter } from '../api/router'
import { DEFAULT_MAX_BODY, readOptionalJson } from './body'
import { type Exchange, makeHandler } from './handler'

/** Most calls in one request; the dashboard's pages send a few. */
const MAX_BATCH = 20

/** The procedure whose input has files. */
const WITH_FILES = '/jobs.start'

/**
 * A request whose body tRPC gets parsed: it would read one of any size. It asks for it once the
 * session is known.
 */
function withJsonReader(exchange: Exchange): Request {
  const { url, method, headers, signal } = exchange.req
  if (method !== 'POST') return exchange.req
  const max = new URL(url).pathname.endsWith(WITH_FILES) ? START_MAX_BODY : DEFAULT_MAX_BODY
  const json = async () => (await readOptionalJson(exchange, max)).value
  return Object.assign(new Request(url, { method, headers, signal }), { json })
}

/** `/api/trpc`: the dashboard's procedures, for the signed-in owner's browser and no other site. */
export const trpcHandler = makeHandler(
  'trpc',
  async (exchange) => {
    const { req, requestId, reply } = exchange
    if (req.method !== 'GET') requireSameOrigin(req.headers)
    const response = await fetchRequestHandler({
      req: withJsonReader(exchange),
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
