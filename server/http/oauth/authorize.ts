import { toAppError } from '../../api/trpc'
import { type Exchange, makeHandler, READ_METHODS } from '../handler'
import { callerFor } from '../procedure'
import { toFields } from './fields'
import { sendOAuthError } from './send-error'

const redirect = (location: string, { headers }: Exchange): Response =>
  new Response(null, { status: 302, headers: { ...headers(), location, 'referrer-policy': 'no-referrer' } })

/**
 * `/authorize`: checks what a client asks for and sends the browser on to the consent page. A
 * request of an unknown client, or with a redirect URI that is not the client's, is answered here
 * and goes nowhere.
 */
export const authorizeHandler = makeHandler(
  'oauth',
  async (exchange) => {
    const { search, searchParams } = new URL(exchange.req.url)
    try {
      await callerFor(exchange, 'key').visitor.oauth.checkAuthorization(toFields(searchParams))
    } catch (error) {
      const { redirectTo } = toAppError(error).detail
      if (typeof redirectTo !== 'string') throw error
      return redirect(redirectTo, exchange)
    }
    return redirect(`/authorize/consent${search}`, exchange)
  },
  { methods: READ_METHODS, sendError: sendOAuthError },
)
