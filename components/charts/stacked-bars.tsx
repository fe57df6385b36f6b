import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import { formatCredits } from '../ui/amount'
import { type ChartSeries, fillClass, formatDay, sumPerPosition, swatchClass } from './series'

const WIDTH = 600
const HEIGHT = 160

/** The tooltip of a day: its total and every series. */
const dayTooltip = (day: string, total: number, series: readonly ChartSeries[], i: number): string =>
  [
    `${formatDay(day)}: ${formatCredits(total)} credits`,
    ...series.filter((s) => (s.values[i] ?? 0) > 0).map((s) => `${s.name}: ${formatCredits(s.values[i] ?? 0)}`),
  ].join('\n')

function Bars({ days, series, top }: { days: string[]; series: ChartSeries[]; top: number }) {
  const x = scaleBand(days, [0, WIDTH]).paddingInner(0.22)
  const y = scaleLinear([0, top], [HEIGHT, 0])
  const layers = stack<number, string>()
    .keys(series.map((s) => s.name))
    .value((i, name) => series.find((s) => s.name === name)?.values[i] ?? 0)(days.map((_, i) => i))
  const totals = sumPerPosition(series, days.length)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full"
      aria-hidden="true"
    >
      {days.map((day, i) => (
        <g key={day} className="group">
          {layers.map((layer, s) => {
            const [from = 0, to = 0] = layer[i] ?? []
            return to > from ? (
              <rect
                key={layer.key}
                x={x(day)}
                width={x.bandwidth()}
                y={y(to)}
                height={Math.max(y(from) - y(to), 0.5)}
                className={fillClass(s)}
              />
            ) : null
          })}
          <rect
            x={(x(day) ?? 0) - (x.step() - x.bandwidth()) / 2}
            width={x.step()}
            height={HEIGHT}
            className="fill-transparent group-hover:fill-text/6"
          >
            <title>{dayTooltip(day, totals[i] ?? 0, series, i)}</title>
          </rect>
        </g>
      ))}
    </svg>
  )
}

/** Credits per day as stacked bars, rendered on the server, with the numbers as a table below. */
export function StackedBars({ days, series, label }: { days: string[]; series: ChartSeries[]; label: string }) {
  const totals = sumPerPosition(series, days.length)
  const scale = scaleLinear([0, Math.max(...totals, 1)], [0, 1]).nice(4)
  const top = scale.domain()[1] ?? 1
  const ticks = scale.ticks(4).filter((t) => t > 0 && Number.isInteger(t))
  const shownDays = [0, Math.floor(days.length / 2), days.length - 1].map((i) => days[i] ?? '')
  return (
    <figure aria-label={label}>
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
      <div className="grid grid-cols-[1fr_auto] gap-x-2">
        <div className="relative h-40 border-b">
          {ticks.map((t) => (
            <div key={t} className="absolute inset-x-0 border-t" style={{ bottom: `${(t / top) * 100}%` }} />
          ))}
          <Bars days={days} series={series} top={top} />
        </div>
        <div className="relative w-14 text-caption text-muted" aria-hidden>
          {ticks.map((t) => (
            <span key={t} className="num absolute left-0 translate-y-1/2" style={{ bottom: `${(t / top) * 100}%` }}>
              {formatCredits(t)}
            </span>
          ))}
        </div>
        <div className="mt-1 flex justify-between text-caption text-muted" aria-hidden>
          {shownDays.map((day) => (
            <span key={day}>{formatDay(day)}</span>
          ))}
        </div>
      </div>
      <NumbersTable days={days} series={series} totals={totals} label={label} />
    </figure>
  )
}

function NumbersTable({
  days,
  series,
  totals,
  label,
}: {
  days: string[]
  series: ChartSeries[]
  totals: number[]
  label: string
}) {
  const spent = days.map((day, i) => ({ day, i })).filter(({ i }) => (totals[i] ?? 0) > 0)
  return (
    <details className="mt-2 text-caption">
      <summary className="w-fit text-muted hover:text-text">The numbers</summary>
      <div className="mt-2 max-h-64 overflow-auto">
        <table className="w-full text-right">
          <caption className="sr-only">{label}, without days without spend</caption>
          <thead>
            <tr className="text-muted">
              <th scope="col" className="py-1 text-left font-medium">
                Day (UTC)
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
            {spent.map(({ day, i }) => (
              <tr key={day} className="border-t">
                <th scope="row" className="py-1 text-left font-normal whitespace-nowrap">
                  {day}
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
        </table>
      </div>
    </details>
  )
}
