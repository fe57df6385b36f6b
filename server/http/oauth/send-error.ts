import { toAppError } from '../../api/trpc'
import type { ErrorCode } from '../../errors'
import { errorHeaders, sendValue } from '../response'

/** Our codes as RFC 6749 has them. What it has no word for keeps ours. */
const OAUTH_CODES: Partial<Record<ErrorCode, string>> = {
  payload_too_large: 'invalid_request',
  unsupported_media_type: 'invalid_request',
  method_not_allowed: 'invalid_request',
  rate_limited: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
  internal_error: 'server_error',
}

/** Any error in OAuth's envelope: `{error, error_description}`. */
export function sendOAuthError(thrown: unknown, headers: Record<string, string>): Response {
  const error = toAppError(thrown)
  const code = error.detail.oauthError ?? OAUTH_CODES[error.code] ?? error.code
  const body = { error: code, error_description: error.message }
  return sendValue(error.status, body, { ...headers, ...errorHeaders(error) })
}
