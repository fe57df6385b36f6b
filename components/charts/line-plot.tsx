'use client'

import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { cn } from '../ui/cn'
import { type ChartBlock, formatValue } from './chart-block'
import { ChartTooltip } from './chart-tooltip'
import { useChartPoint } from './use-chart-point'

type Rows = ChartBlock['rows']

const WIDTH = 600
const HEIGHT = 160

/** So many labels fit beside each other. */
const MAX_LABELS = 6

/**
 * The labels, each below its point. Of many points the first, one in the middle and the last are
 * labelled: the first label begins at its point, and the last one ends there.
 */
function Labels({ rows }: { rows: Rows }) {
  if (rows.length <= MAX_LABELS) {
    return (
      <div className="flex text-caption text-muted" aria-hidden>
        {rows.map(({ id, label }) => (
          <span key={id} className="flex-1 truncate px-0.5 text-center">
            {label}
          </span>
        ))}
      </div>
    )
  }
  const middle = Math.floor((rows.length - 1) / 2)
  const place = (index: number) => `${((index + 0.5) / rows.length) * 100}%`
  const text = 'absolute max-w-[30%] truncate'
  return (
    <div className="relative h-4 text-caption text-muted" aria-hidden>
      <span className={text} style={{ left: place(0) }}>
        {rows[0]?.label}
      </span>
      <span className={cn(text, '-translate-x-1/2')} style={{ left: place(middle) }}>
        {rows[middle]?.label}
      </span>
      <span className={text} style={{ right: place(0) }}>
        {rows.at(-1)?.label}
      </span>
    </div>
  )
}

/**
 * A line through the values, in their order. A value shows under the pointer, or with the arrow
 * keys.
 */
export function LinePlot({ rows, label }: { rows: Rows; label: string }) {
  const values = rows.map(({ value }) => value)
  const y = scaleLinear([Math.min(...values), Math.max(...values)], [HEIGHT, 0]).nice(4)
  const step = WIDTH / rows.length
  const x = (index: number) => (index + 0.5) * step
  const path = line<Rows[number]>(
    (_, index) => x(index),
    ({ value }) => y(value),
  )(rows)
  const ticks = y.ticks(4)
  const textAt = (index: number) => `${rows[index]?.label}: ${formatValue(rows[index]?.value ?? 0)}`
  const { at, plot } = useChartPoint(rows.length, { label, describe: textAt })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2">
      <div {...plot} className="relative my-2 h-40 cursor-crosshair touch-pan-y">
        {ticks.map((tick) => (
          <div key={tick} className="absolute inset-x-0 border-t" style={{ top: `${(y(tick) / HEIGHT) * 100}%` }} />
        ))}
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full"
          aria-hidden="true"
        >
          <path
            d={path ?? ''}
            className="fill-none stroke-chart-1 stroke-2"
            strokeLinejoin="round"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
          {at !== null && <rect x={x(at) - step / 2} width={step} height={HEIGHT} className="fill-text/8" />}
        </svg>
        {at !== null && (
          <ChartTooltip at={at} count={rows.length}>
            {textAt(at)}
          </ChartTooltip>
        )}
      </div>
      <div className="num relative my-2 text-caption text-muted" aria-hidden>
        {ticks.map((tick) => (
          <span key={tick} className="absolute left-0 -translate-y-1/2" style={{ top: `${(y(tick) / HEIGHT) * 100}%` }}>
            {formatValue(tick)}
          </span>
        ))}
        <span className="invisible">
          {ticks.map(formatValue).reduce((long, text) => (text.length > long.length ? text : long), '')}
        </span>
      </div>
      <Labels rows={rows} />
    </div>
  )
}
