import type { ReactNode } from 'react'
import { Credits, formatCredits } from '../ui/amount'

/** Names by what they cost, highest first. */
export const SpendRanking = ({
  rows,
}: {
  rows: { key: string; name: ReactNode; charged: number; calls: number }[]
}) => (
  <ol className="divide-y rounded border bg-raised text-table">
    {rows.map(({ key, name, charged, calls }) => (
      <li key={key} className="flex items-baseline justify-between gap-3 px-3 py-1.5">
        <span className="min-w-0 truncate">{name}</span>
        <span className="whitespace-nowrap">
          <span className="text-caption text-muted">
            {formatCredits(calls)} {calls === 1 ? 'call' : 'calls'}
          </span>{' '}
          <Credits value={charged} className="inline-block min-w-16 text-right" />
        </span>
      </li>
    ))}
  </ol>
)
