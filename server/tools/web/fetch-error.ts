import { AppError } from '../../errors'
import { SafeFetchError } from '../../kit/safe-fetch'
import type { ToolContext } from '../define'

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
  if (!refused) return new AppError('upstream_error', error.message, { cause: error })
  return new AppError('invalid_request', error.message, {
    detail: { issues: [{ path: 'params.url', message: error.message }] },
  })
}
