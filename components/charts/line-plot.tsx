'use client'

import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { type ChartBlock, formatValue } from './chart-block'
import { ChartTooltip } from './chart-tooltip'
import { useChartPoint } from './use-chart-point'

type Rows = ChartBlock['rows']

const WIDTH = 600
const HEIGHT = 160

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
  const shown = [...new Set([0, Math.floor((rows.length - 1) / 2), rows.length - 1])]
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
      <div className="flex justify-between gap-3 text-caption text-muted" aria-hidden>
        {shown.map((index) => (
          <span key={index} className="min-w-0 truncate">
            {rows[index]?.label}
          </span>
        ))}
      </div>
    </div>
  )
}
