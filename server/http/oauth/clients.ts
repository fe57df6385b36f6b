import { readForm, readJson } from '../body'
import { callerFor } from '../procedure'
import { sendValue } from '../response'
import { toFields } from './fields'
import { makeOAuthHandler } from './make-handler'

/** Largest form or registration, bytes. */
const MAX_BODY = 64 * 1024

/** `/register`: a client registers itself (RFC 7591). */
export const registerHandler = makeOAuthHandler(['POST'], async (exchange) => {
  const { value } = await readJson(exchange, MAX_BODY)
  const client = await callerFor(exchange, 'key').visitor.oauth.register(value)
  return sendValue(201, client, exchange.headers())
})

/** `/token`: a code becomes a key and its access token, a refresh token the next (RFC 6749). */
export const tokenHandler = makeOAuthHandler(['POST'], async (exchange) => {
  const fields = toFields(await readForm(exchange.req, MAX_BODY))
  const token = await callerFor(exchange, 'key').visitor.oauth.exchange(fields)
  return sendValue(200, token, { ...exchange.headers(), pragma: 'no-cache' })
})

/** `/revoke`: a client gives its key back (RFC 7009). */
export const revokeHandler = makeOAuthHandler(['POST'], async (exchange) => {
  const fields = toFields(await readForm(exchange.req, MAX_BODY))
  await callerFor(exchange, 'key').visitor.oauth.revoke(fields)
  return sendValue(200, {}, exchange.headers())
})
