import type { Idempotency } from '../../credits/hold-request'
import type { StoredResponse } from '../../credits/reserve'
import { AppError, ERROR_CODES, type ErrorCode } from '../../errors'
import type { Context, ResponseMeta } from '../context'

/** A caller's Idempotency-Key with the hash of its body; undefined when none was sent. */
export function idempotencyOf({ headers, bodyHash }: Context): Idempotency | undefined {
  const token = headers.get('idempotency-key')
  const hash = token === null ? null : bodyHash()
  if (token === null || hash === null) return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(token)) {
    throw new AppError('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.')
  }
  return { token, bodyHash: hash }
}

/** Replays a stored answer as it was. An error is thrown again. */
export function replayAnswer({ status, body, charged }: StoredResponse, reply: ResponseMeta) {
  reply.replayed = true
  const credits = Number(charged)
  if (status < 400) return { ...body, service: { credits_charged: credits } }
  const { error, code, retryAfter: seconds, ...detail } = body
  const retryAfter = typeof seconds === 'number' ? seconds : undefined
  const known = typeof code === 'string' && code in ERROR_CODES ? (code as ErrorCode) : 'upstream_error'
  throw new AppError(known, String(error), { detail, retryAfter, charge: { credits } })
}
