import type { UpstreamOutcome } from '../metrics'
import { isCallerStatus, type UpstreamFailure } from './failure'
import { UpstreamTimeout } from './timer'

/** What a failed call of an upstream is counted as. */
export function outcomeOf({ status, details }: UpstreamFailure): UpstreamOutcome {
  if (status === null) return isTimeout(details.cause) ? 'timeout' : details.cause ? 'unreachable' : 'invalid'
  if (isCallerStatus(status)) return 'refused'
  if (status === 429) return 'rate_limited'
  if (status >= 500) return 'server_error'
  return status >= 400 ? 'credentials' : 'invalid'
}

const isTimeout = (cause: unknown): boolean =>
  cause instanceof UpstreamTimeout || (cause as { code?: string } | undefined)?.code === 'UND_ERR_CONNECT_TIMEOUT'
