import { AppError, type Reason } from '../errors'
import { SafeFetchError, type SafeFetchFailure } from '../kit/safe-fetch'
import type { ToolContext } from './define'

/** What a failed fetch is to its caller. */
export const FETCH_REASON: Record<SafeFetchFailure, Reason> = {
  invalid_url: 'invalid_input',
  blocked: 'blocked',
  redirect_blocked: 'blocked',
  unresolved: 'not_found',
  refused: 'provider_unreachable',
  too_many_redirects: 'provider_error',
  too_large: 'too_large',
  timeout: 'timeout',
  failed: 'provider_error',
}

const STATUS_REASON: Record<number, Reason> = {
  401: 'not_public',
  403: 'blocked',
  404: 'not_found',
  410: 'not_found',
  429: 'rate_limited',
  451: 'blocked',
}

/** The failure of a page, or a file, whose server returned an error. */
export const targetFailed = (host: string, status: number): AppError =>
  new AppError('upstream_error', `${host} returned HTTP ${status}.`, {
    reason: STATUS_REASON[status] ?? (status < 500 ? 'refused' : 'provider_error'),
  })

/**
 * The error that a caller gets for a failed guarded fetch. A URL that is wrong, or blocked before a
 * byte went out, is a refusal; anything else is the target's failure, charged when `onSent` was
 * called, which is when a connection was made.
 */
export function toToolError(error: unknown, { signal }: ToolContext): unknown {
  if (!(error instanceof SafeFetchError)) return error
  // The kernel's own reason (out of time, caller gone) says more than "timeout".
  if (error.kind === 'timeout' && !error.sent && signal.reason instanceof AppError) return signal.reason
  const refused = error.kind === 'invalid_url' || error.kind === 'blocked'
  if (!refused) return new AppError('upstream_error', error.message, { reason: FETCH_REASON[error.kind], cause: error })
  return new AppError('invalid_request', error.message, {
    reason: FETCH_REASON[error.kind],
    detail: { issues: [{ path: 'params.url', message: error.message }] },
  })
}
