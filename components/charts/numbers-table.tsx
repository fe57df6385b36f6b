'use client'

import { useState } from 'react'
import { formatCredits } from '../ui/amount'
import { type BucketUnit, type ChartSeries, formatBucket, sumPerPosition } from './series'

type Props = { buckets: string[]; unit: BucketUnit; series: ChartSeries[]; label: string; timeZone: string }

const FIRST_COLUMN: Record<BucketUnit, string> = { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' }

/** The numbers of a chart, made when they are opened. */
export function NumbersTable(props: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="mt-2 text-caption" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-fit text-muted hover:text-text">The numbers</summary>
      {isOpen && <ChartNumbers {...props} />}
    </details>
  )
}

/** A chart as a table; buckets with nothing are left out. */
export function ChartNumbers({ buckets, unit, series, label, timeZone }: Props) {
  const totals = sumPerPosition(series, buckets.length)
  const spent = buckets.map((bucket, i) => ({ bucket, i })).filter(({ i }) => (totals[i] ?? 0) > 0)
  const sum = (values: readonly number[]) => formatCredits(values.reduce((a, b) => a + b, 0))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section tabIndex={0} aria-label={`${label}, the numbers`} className="mt-2 max-h-64 overflow-auto">
      <table className="w-full text-right">
        <caption className="sr-only">{label}; what has none is left out</caption>
        <thead>
          <tr className="text-muted">
            <th scope="col" className="py-1 text-left font-medium whitespace-nowrap">
              {FIRST_COLUMN[unit]} ({timeZone})
            </th>
            {series.map((s) => (
              <th key={s.name} scope="col" className="max-w-32 truncate px-2 font-medium" title={s.name}>
                {s.name}
              </th>
            ))}
            <th scope="col" className="font-medium">
              Total
            </th>
          </tr>
        </thead>
        <tbody className="num">
          {spent.map(({ bucket, i }) => (
            <tr key={bucket} className="border-t">
              <th scope="row" className="py-1 text-left font-normal whitespace-nowrap">
                {unit === 'day' ? bucket.slice(0, 10) : formatBucket(bucket, unit)}
              </th>
              {series.map((s) => (
                <td key={s.name} className="px-2">
                  {formatCredits(s.values[i] ?? 0)}
                </td>
              ))}
              <td>{formatCredits(totals[i] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot className="num">
          <tr className="border-t border-line-strong font-semibold">
            <th scope="row" className="py-1 text-left font-semibold">
              Total
            </th>
            {series.map((s) => (
              <td key={s.name} className="px-2">
                {sum(s.values)}
              </td>
            ))}
            <td>{sum(totals)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
