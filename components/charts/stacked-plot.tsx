'use client'

import type { ReactNode } from 'react'
import { formatCredits } from '../ui/amount'
import { ChartTooltip } from './chart-tooltip'
import { type BucketUnit, type ChartSeries, formatBucket, sumPerPosition, swatchClass } from './series'
import { useChartPoint } from './use-chart-point'

type Props = {
  buckets: string[]
  unit: BucketUnit
  series: ChartSeries[]
  label: string
  /** What is counted, in words. */
  of: string
  /** Where the first bucket begins, and how wide each is, in percent. */
  first: number
  step: number
  /** The bars. */
  children: ReactNode
}

/** Stacked bars, and the numbers of the one that is looked at. */
export function StackedPlot({ buckets, unit, series, label, of, first, step, children }: Props) {
  const totals = sumPerPosition(series, buckets.length)
  const partsAt = (i: number) =>
    series.map((s, fill) => ({ name: s.name, value: s.values[i] ?? 0, fill })).filter(({ value }) => value > 0)
  const describe = (i: number) =>
    [
      `${formatBucket(buckets[i] ?? '', unit)}: ${formatCredits(totals[i] ?? 0)} ${of}`,
      ...partsAt(i).map(({ name, value }) => `${name} ${formatCredits(value)}`),
    ].join(', ')
  const { at, plot } = useChartPoint(buckets.length, { label, describe })
  return (
    <div {...plot} className="relative h-40 cursor-crosshair touch-pan-y border-b">
      {children}
      {at !== null && (
        <>
          <div className="absolute inset-y-0 bg-text/8" style={{ left: `${first + at * step}%`, width: `${step}%` }} />
          <ChartTooltip at={at} count={buckets.length}>
            <p className="font-medium">{formatBucket(buckets[at] ?? '', unit)}</p>
            <p className="flex justify-between gap-4">
              Total <span className="num">{formatCredits(totals[at] ?? 0)}</span>
            </p>
            {partsAt(at).map(({ name, value, fill }) => (
              <p key={name} className="flex items-center justify-between gap-4 text-muted">
                <span className="flex min-w-0 items-center gap-1.5">
                  <span className={`size-2 shrink-0 rounded-[2px] ${swatchClass(fill)}`} />
                  <span className="truncate">{name}</span>
                </span>
                <span className="num">{formatCredits(value)}</span>
              </p>
            ))}
          </ChartTooltip>
        </>
      )}
    </div>
  )
}
