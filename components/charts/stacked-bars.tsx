import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import { formatCredits } from '../ui/amount'
import { cn } from '../ui/cn'
import { NumbersTable } from './numbers-table'
import { type BucketUnit, type ChartSeries, fillClass, formatTick, sumPerPosition, swatchClass } from './series'
import { StackedPlot } from './stacked-plot'

const WIDTH = 600
const HEIGHT = 160

type Props = {
  /** Begins of the buckets: YYYY-MM-DD, or with T and the time. */
  buckets: string[]
  unit?: BucketUnit
  series: ChartSeries[]
  label: string
  /** What is counted, in words. */
  of?: string
  /** IANA name of the zone whose days these are. */
  timeZone?: string
}

const round = (value: number) => Math.round(value * 100) / 100

/** Each series as one path of rectangles: a drawing of some parts, however many bars it has. */
function Bars({ buckets, series, top }: Pick<Props, 'buckets' | 'series'> & { top: number }) {
  const x = placesOf(buckets)
  const y = scaleLinear([0, top], [HEIGHT, 0])
  const layers = stack<number, ChartSeries>()
    .keys(series)
    .value((i, { values }) => values[i] ?? 0)(buckets.map((_, i) => i))
  const width = round(x.bandwidth())
  const pathOf = (layer: (typeof layers)[number]) =>
    buckets
      .map((bucket, i) => {
        const [from = 0, to = 0] = layer[i] ?? []
        if (to <= from) return ''
        return `M${round(x(bucket) ?? 0)} ${round(y(to))}h${width}v${round(Math.max(y(from) - y(to), 0.5))}h${-width}z`
      })
      .join('')
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full"
      aria-hidden="true"
    >
      {layers.map((layer, s) => (
        <path key={layer.key.name} d={pathOf(layer)} className={fillClass(s)} />
      ))}
    </svg>
  )
}

const placesOf = (buckets: string[]) => scaleBand(buckets, [0, WIDTH]).paddingInner(0.22)

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

/** So many buckets have a label each; of more, the first, the middle and the last do. */
const MAX_LABELLED = 8

function Ticks({ buckets, unit }: { buckets: string[]; unit: BucketUnit }) {
  const x = placesOf(buckets)
  const last = buckets.length - 1
  if (buckets.length > MAX_LABELLED)
    return (
      <div className="mt-1 flex justify-between text-caption text-muted" aria-hidden>
        {[0, Math.floor(buckets.length / 2), last].map((i) => (
          <span key={i}>{formatTick(buckets[i] ?? '', unit)}</span>
        ))}
      </div>
    )
  return (
    <div className="relative mt-1 h-5 text-caption text-muted" aria-hidden>
      {buckets.map((bucket, i) => (
        <span
          key={bucket}
          className={cn('absolute -translate-x-1/2 whitespace-nowrap', (last - i) % 2 === 1 && 'max-sm:hidden')}
          style={{ left: `${(((x(bucket) ?? 0) + x.bandwidth() / 2) / WIDTH) * 100}%` }}
        >
          {formatTick(bucket, unit)}
        </span>
      ))}
    </div>
  )
}

/**
 * Credits, or what `of` names, over time as stacked bars. A bar's numbers show under the pointer,
 * where one touches it, and with the arrow keys; the same numbers are a table below. Drawn on the
 * server: the page needs no script for its scales.
 */
export function StackedBars({ buckets, unit = 'day', series, label, of = 'credits', timeZone = 'UTC' }: Props) {
  const totals = sumPerPosition(series, buckets.length)
  const scale = scaleLinear([0, Math.max(...totals, 1)], [0, 1]).nice(4)
  const top = scale.domain()[1] ?? 1
  const ticks = scale.ticks(4).filter((t) => t > 0 && Number.isInteger(t))
  const x = placesOf(buckets)
  const step = (x.step() / WIDTH) * 100
  const first = (((x(buckets[0] ?? '') ?? 0) - (x.step() - x.bandwidth()) / 2) / WIDTH) * 100
  return (
    <figure aria-label={label}>
      <Legend series={series} />
      <div className="grid grid-cols-[1fr_auto] gap-x-2">
        <StackedPlot buckets={buckets} unit={unit} series={series} label={label} of={of} step={step} first={first}>
          {ticks.map((t) => (
            <div key={t} className="absolute inset-x-0 border-t" style={{ bottom: `${(t / top) * 100}%` }} />
          ))}
          <Bars buckets={buckets} series={series} top={top} />
        </StackedPlot>
        <div className="relative w-14 text-caption text-muted" aria-hidden>
          {ticks.map((t) => (
            <span key={t} className="num absolute left-0 translate-y-1/2" style={{ bottom: `${(t / top) * 100}%` }}>
              {formatCredits(t)}
            </span>
          ))}
        </div>
        <Ticks buckets={buckets} unit={unit} />
      </div>
      <NumbersTable buckets={buckets} unit={unit} series={series} label={label} timeZone={timeZone} />
    </figure>
  )
}
