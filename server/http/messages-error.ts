import { toAppError } from '../api/trpc'
import type { AppError, ErrorCode } from '../errors'
import { errorHeaders, sendValue } from './response'

/** The types that SDKs of the messages API know. */
const TYPES: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'authentication_error',
  insufficient_credits: 'billing_error',
  forbidden: 'permission_error',
  not_found: 'not_found_error',
  payload_too_large: 'request_too_large',
  rate_limited: 'rate_limit_error',
}

/** What makes SDKs send the whole conversation, where they first asked the API to keep it. */
const KEEPS_NOTHING = { details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] } }

const asksToKeep = ({ issues }: AppError['detail']): boolean =>
  Array.isArray(issues) && issues.some(({ path }) => path === 'thread')

/** The envelope of the messages API, with our code and the charge of the error. */
export function messagesErrorBody({ status, code, message, detail, fields, charge }: AppError, requestId: string) {
  const type = TYPES[code] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  return {
    type: 'error',
    error: { type, message, ...fields, ...(asksToKeep(detail) && KEEPS_NOTHING) },
    request_id: requestId,
    ...(charge && { service: { credits_charged: charge.credits } }),
  }
}

/**
 * An error of the messages endpoints: `{type: "error", error: {type, message, code}, request_id}`.
 */
export function sendMessagesError(thrown: unknown, headers: Record<string, string>): Response {
  const error = toAppError(thrown)
  const body = messagesErrorBody(error, headers['x-request-id'] ?? '')
  return sendValue(error.status, body, { ...headers, ...errorHeaders(error) })
}
