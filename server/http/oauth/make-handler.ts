import { type Exchange, type Handler, makeHandler, methodNotAllowed } from '../handler'
import { sendOAuthError } from './send-error'

const DAY_S = 86_400

const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers.has('access-control-request-method')

/** The answer to a browser that asks whether it may send a request: with any header. */
const preflight = ({ req, headers }: Exchange, allowed: readonly string[]): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...headers(),
      'access-control-allow-methods': allowed.join(', '),
      'access-control-allow-headers': req.headers.get('access-control-request-headers') ?? 'content-type',
      'access-control-max-age': String(DAY_S),
    },
  })

/**
 * A handler of OAuth that pages of any site may call, as clients in a browser do: it takes no
 * cookies. Errors are in OAuth's envelope.
 */
export function makeOAuthHandler(
  methods: readonly string[],
  handle: (exchange: Exchange) => Promise<Response>,
): Handler {
  const allowed = [...methods, 'OPTIONS']
  const serve = async (exchange: Exchange) => {
    if (isPreflight(exchange.req)) return preflight(exchange, allowed)
    if (!methods.includes(exchange.req.method)) return methodNotAllowed(allowed, exchange.headers(), sendOAuthError)
    return handle(exchange)
  }
  const handler = makeHandler('oauth', serve, { sendError: sendOAuthError })
  return async (req) => {
    const response = await handler(req)
    response.headers.set('access-control-allow-origin', '*')
    response.headers.set('access-control-expose-headers', 'x-request-id, retry-after')
    return response
  }
}
