'use client'

import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import { formatCredits } from '../ui/amount'
import { ChartTooltip } from './chart-tooltip'
import { NumbersTable } from './numbers-table'
import {
  type BucketUnit,
  type ChartSeries,
  fillClass,
  formatBucket,
  formatTick,
  sumPerPosition,
  swatchClass,
} from './series'
import { useChartPoint } from './use-chart-point'

const WIDTH = 600
const HEIGHT = 160

type Props = {
  /** Begins of the buckets: YYYY-MM-DD, or with T and the time. */
  buckets: string[]
  unit?: BucketUnit
  series: ChartSeries[]
  label: string
  /** IANA name of the zone whose days these are. */
  timeZone?: string
}

function Bars({
  buckets,
  series,
  top,
  at,
}: {
  buckets: string[]
  series: ChartSeries[]
  top: number
  at: number | null
}) {
  const x = scaleBand(buckets, [0, WIDTH]).paddingInner(0.22)
  const y = scaleLinear([0, top], [HEIGHT, 0])
  const layers = stack<number, ChartSeries>()
    .keys(series)
    .value((i, { values }) => values[i] ?? 0)(buckets.map((_, i) => i))
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full"
      aria-hidden="true"
    >
      {buckets.map((bucket, i) => (
        <g key={bucket}>
          {layers.map((layer, s) => {
            const [from = 0, to = 0] = layer[i] ?? []
            return to > from ? (
              <rect
                key={layer.key.name}
                x={x(bucket)}
                width={x.bandwidth()}
                y={y(to)}
                height={Math.max(y(from) - y(to), 0.5)}
                className={fillClass(s)}
              />
            ) : null
          })}
          {at === i && (
            <rect
              x={(x(bucket) ?? 0) - (x.step() - x.bandwidth()) / 2}
              width={x.step()}
              height={HEIGHT}
              className="fill-text/8"
            />
          )}
        </g>
      ))}
    </svg>
  )
}

const Legend = ({ series }: { series: readonly ChartSeries[] }) => (
  <ul className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-caption">
    {series.map((s, i) => (
      <li key={s.name} className="flex items-center gap-1.5">
        <span className={`size-2.5 shrink-0 rounded-[2px] ${swatchClass(i)}`} />
        <span className="max-w-48 truncate" title={s.name}>
          {s.name}
        </span>
        <span className="num text-muted">{formatCredits(s.values.reduce((a, b) => a + b, 0))}</span>
      </li>
    ))}
  </ul>
)

/**
 * Credits over time as stacked bars. A bar's numbers show under the pointer, where one touches it,
 * and with the arrow keys; the same numbers are a table below.
 */
export function StackedBars({ buckets, unit = 'day', series, label, timeZone = 'UTC' }: Props) {
  const totals = sumPerPosition(series, buckets.length)
  const scale = scaleLinear([0, Math.max(...totals, 1)], [0, 1]).nice(4)
  const top = scale.domain()[1] ?? 1
  const ticks = scale.ticks(4).filter((t) => t > 0 && Number.isInteger(t))
  const shownBuckets = [0, Math.floor(buckets.length / 2), buckets.length - 1].map((i) => buckets[i] ?? '')
  const partsAt = (i: number) =>
    series.map((s, fill) => ({ name: s.name, value: s.values[i] ?? 0, fill })).filter(({ value }) => value > 0)
  const describe = (i: number) =>
    [
      `${formatBucket(buckets[i] ?? '', unit)}: ${formatCredits(totals[i] ?? 0)} credits`,
      ...partsAt(i).map(({ name, value }) => `${name} ${formatCredits(value)}`),
    ].join(', ')
  const { at, plot } = useChartPoint(buckets.length, { label, describe })
  return (
    <figure aria-label={label}>
      <Legend series={series} />
      <div className="grid grid-cols-[1fr_auto] gap-x-2">
        <div {...plot} className="relative h-40 cursor-crosshair touch-pan-y border-b">
          {ticks.map((t) => (
            <div key={t} className="absolute inset-x-0 border-t" style={{ bottom: `${(t / top) * 100}%` }} />
          ))}
          <Bars buckets={buckets} series={series} top={top} at={at} />
          {at !== null && (
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
          )}
        </div>
        <div className="relative w-14 text-caption text-muted" aria-hidden>
          {ticks.map((t) => (
            <span key={t} className="num absolute left-0 translate-y-1/2" style={{ bottom: `${(t / top) * 100}%` }}>
              {formatCredits(t)}
            </span>
          ))}
        </div>
        <div className="mt-1 flex justify-between text-caption text-muted" aria-hidden>
          {shownBuckets.map((bucket) => (
            <span key={bucket}>{formatTick(bucket, unit)}</span>
          ))}
        </div>
      </div>
      <NumbersTable buckets={buckets} unit={unit} series={series} label={label} timeZone={timeZone} />
    </figure>
  )
}
