import { Badge } from '../ui/badge'
import { formatDuration } from '../ui/format-time'
import { TimeAgo } from '../ui/time-ago'
import type { CallHealth } from './views'

/** Failed calls of all, percent. */
const failedPercent = ({ calls, failed }: CallHealth): number => (calls === 0 ? 0 : Math.round((failed / calls) * 100))

/** Most calls that may fail before it counts as a problem, percent. */
const MUCH = 20

/** How calls of the last hour went, in a word. */
export function HealthBadge({ of }: { of: CallHealth }) {
  if (of.calls === 0) return <Badge>Not called</Badge>
  if (of.failed === of.calls) return <Badge tone="bad">Failing</Badge>
  return failedPercent(of) >= MUCH ? <Badge tone="warn">Errors</Badge> : <Badge tone="good">Healthy</Badge>
}

/** The numbers behind it, and what failed last. */
export const HealthNumbers = ({ of }: { of: CallHealth }) => (
  <div className="text-caption text-muted">
    {of.calls > 0 && (
      <p>
        {of.calls} {of.calls === 1 ? 'call' : 'calls'}, {failedPercent(of)} % failed
        {of.medianMs !== null && `, half within ${formatDuration(of.medianMs)}`}
        {of.slowMs !== null && `, 95 % within ${formatDuration(of.slowMs)}`}
      </p>
    )}
    {of.lastSuccess && (
      <p>
        Last success <TimeAgo at={of.lastSuccess} />
      </p>
    )}
    {of.lastFailure && (
      <p className="wrap-anywhere">
        Last failure <TimeAgo at={of.lastFailure} />
        {of.lastError && `: ${of.lastError}`}
      </p>
    )}
  </div>
)
