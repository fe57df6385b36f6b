import type { ReactNode } from 'react'
import type { UsageSum } from '@/server/credits/shape'
import { Credits, formatCredits, formatUsd } from '../ui/amount'

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

/** What all calls of the chosen filters and days come to. */
export const UsageTotalsRow = ({ of, creditsPerUsd }: { of: UsageSum; creditsPerUsd: number }) => (
  <dl
    aria-label="Totals"
    className="mb-4 grid grid-cols-2 divide-line rounded border bg-raised lg:grid-cols-4 lg:divide-x"
  >
    <Total
      name="Credits charged"
      value={<Credits value={of.charged} />}
      note={`≈ ${formatUsd(of.charged, creditsPerUsd)} at the reference rate`}
    />
    <Total
      name="Calls"
      value={formatCredits(of.calls)}
      note={of.calls > 0 ? `${formatCredits(Math.round(of.charged / of.calls))} credits each on average` : 'None yet'}
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
  </dl>
)
