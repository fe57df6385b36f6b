import type { ReactNode } from 'react'
import type { UsagePace, UsageSum } from '@/server/credits/shape'
import type { RefusalTotals } from '@/server/request-log/shape'
import { Credits, formatChange, formatCredits, formatUsd } from '../ui/amount'
import { formatDuration } from '../ui/format-time'

const Total = ({ name, value, note }: { name: string; value: ReactNode; note: ReactNode }) => (
  <div className="min-w-0 px-4 py-2.5">
    <dt className="text-caption text-muted">{name}</dt>
    <dd>
      <span className="num block text-title font-semibold">{value}</span>
      <span className="block text-caption text-muted">{note}</span>
    </dd>
  </div>
)

const share = (part: number, whole: number) => `${((part / whole) * 100).toFixed(part / whole < 0.1 ? 1 : 0)} %`

/** How much an amount differs from that of the days before; empty where none are compared. */
export function changeText(now: number, pace: UsagePace | null, of: (sum: UsageSum) => number): string {
  if (!pace?.before) return ''
  const { days, total } = pace.before
  const [was, when] = [of(total), days === 1 ? 'the day before' : `the ${days} days before`]
  if (was === 0) return now === 0 ? '' : `None in ${when}`
  const percent = Math.round(((now - was) / was) * 100)
  if (percent === 0) return `As in ${when}`
  return `${formatChange(percent)} on ${when}`
}

const REFUSED_IN: Record<RefusalRangeName, string> = { day: '24 hours', week: '7 days', month: '30 days' }
type RefusalRangeName = 'day' | 'week' | 'month'

type Props = {
  of: UsageSum
  creditsPerUsd: number
  pace: UsagePace | null
  /** Requests that were refused before they were calls; null where the filters leave calls out. */
  refused?: { totals: RefusalTotals; range: RefusalRangeName } | null
}

/** What all calls of the chosen filters and days come to, beside the days before. */
export function UsageTotalsRow({ of, creditsPerUsd, pace, refused = null }: Props) {
  const requests = of.calls + (refused?.totals.requests ?? 0)
  return (
    <dl
      aria-label="Totals"
      className="mb-4 grid grid-cols-2 divide-line rounded border bg-raised sm:grid-cols-3 xl:grid-cols-6 xl:divide-x"
    >
      <Total
        name="Credits charged"
        value={<Credits value={of.charged} />}
        note={changeText(of.charged, pace, ({ charged }) => charged) || `≈ ${formatUsd(of.charged, creditsPerUsd)}`}
      />
      <Total
        name="Calls"
        value={formatCredits(of.calls)}
        note={
          changeText(of.calls, pace, ({ calls }) => calls) ||
          (of.calls > 0 ? `${formatCredits(Math.round(of.charged / of.calls))} credits each on average` : 'None yet')
        }
      />
      <Total
        name="Tokens"
        value={formatCredits(of.inputTokens + of.outputTokens)}
        note={`${formatCredits(of.inputTokens)} in, ${formatCredits(of.outputTokens)} out`}
      />
      <Total
        name="Failures"
        value={formatCredits(of.failed)}
        note={of.calls > 0 ? `${share(of.failed, of.calls)} of the calls` : 'None'}
      />
      <Total
        name="Duration, median"
        value={pace?.p50Ms == null ? '–' : formatDuration(pace.p50Ms)}
        note={
          pace?.p95Ms == null
            ? 'No calls'
            : `95 % within ${formatDuration(pace.p95Ms)}${pace.measured < of.calls ? `, newest ${formatCredits(pace.measured)}` : ''}`
        }
      />
      {refused && (
        <Total
          name={`Refused in ${REFUSED_IN[refused.range]}`}
          value={formatCredits(refused.totals.requests)}
          note={refused.totals.requests > 0 ? `${share(refused.totals.requests, requests)} of requests` : 'None'}
        />
      )}
    </dl>
  )
}
