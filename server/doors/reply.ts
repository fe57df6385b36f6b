import type { Reply } from '../api/context'
import { asAppError } from '../api/trpc'
import type { AppError } from '../errors'

const json = { 'content-type': 'application/json; charset=utf-8' }

/** The headers every response of one exchange bears: its id, the key's rate window, and whether it is a replay. */
export function replyHeaders(requestId: string, { rate, replayed }: Reply): Record<string, string> {
  return {
    'x-request-id': requestId,
    'cache-control': 'no-store',
    ...(rate && {
      'x-ratelimit-limit-requests': String(rate.limit),
      'x-ratelimit-remaining-requests': String(rate.remaining),
      'x-ratelimit-reset-requests': String(rate.resetS),
    }),
    ...(replayed && { 'idempotent-replayed': 'true' }),
  }
}

/** A value as JSON; a string as Markdown. */
export function sendValue(status: number, value: unknown, headers: Record<string, string>): Response {
  if (typeof value !== 'string')
    return new Response(JSON.stringify(value ?? null), { status, headers: { ...json, ...headers } })
  return new Response(value, { status, headers: { 'content-type': 'text/markdown; charset=utf-8', ...headers } })
}

/** The headers an error brings. */
export const errorHeaders = ({ retryAfter }: AppError): Record<string, string> =>
  retryAfter === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) }

/** An error in the API's envelope: `{error, code, …detail}`, with `service` if and only if something was charged or ran. */
export function sendError(thrown: unknown, headers: Record<string, string>): Response {
  const error = asAppError(thrown)
  const body = {
    error: error.message,
    code: error.code,
    ...error.detail,
    ...(error.charge && { service: { credits_charged: error.charge.credits } }),
  }
  return sendValue(error.status, body, { ...headers, ...errorHeaders(error) })
}
