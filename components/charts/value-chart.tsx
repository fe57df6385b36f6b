import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { type ChartBlock, formatValue } from './chart-block'

type Rows = ChartBlock['rows']

/** Bars of values, one below the other: the table of the numbers is the drawing. */
function BarRows({ rows }: { rows: Rows }) {
  const values = rows.map(({ value }) => value)
  const place = scaleLinear([Math.min(0, ...values), Math.max(0, ...values) || 1], [0, 100])
  return (
    <tbody>
      {rows.map(({ id, label, value }) => (
        <tr key={id}>
          <th scope="row" className="py-0.5 pr-3 text-left align-top font-normal">
            <div className="w-max max-w-28 break-words sm:max-w-56">{label}</div>
          </th>
          <td className="w-full py-0.5">
            <div className="relative h-4" aria-hidden>
              <div
                className="absolute inset-y-0 min-w-px rounded-[2px] bg-chart-1"
                style={{
                  left: `${place(Math.min(0, value))}%`,
                  width: `${place(Math.max(0, value)) - place(Math.min(0, value))}%`,
                }}
              />
            </div>
          </td>
          <td className="num py-0.5 pl-3 text-right whitespace-nowrap">{formatValue(value)}</td>
        </tr>
      ))}
    </tbody>
  )
}

const WIDTH = 600
const HEIGHT = 160

/** A line through the values, in their order. */
function Line({ rows }: { rows: Rows }) {
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
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2" aria-hidden>
      <div className="relative my-2 h-40">
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
          {rows.map(({ id, label, value }, index) => (
            <rect
              key={id}
              x={x(index) - step / 2}
              width={step}
              height={HEIGHT}
              className="fill-transparent hover:fill-text/6"
            >
              <title>{`${label}: ${formatValue(value)}`}</title>
            </rect>
          ))}
        </svg>
      </div>
      <div className="num relative my-2 text-caption text-muted">
        {ticks.map((tick) => (
          <span key={tick} className="absolute left-0 -translate-y-1/2" style={{ top: `${(y(tick) / HEIGHT) * 100}%` }}>
            {formatValue(tick)}
          </span>
        ))}
        <span className="invisible">
          {ticks.map(formatValue).reduce((long, text) => (text.length > long.length ? text : long), '')}
        </span>
      </div>
      <div className="flex justify-between gap-3 text-caption text-muted">
        {shown.map((index) => (
          <span key={index} className="min-w-0 truncate">
            {rows[index]?.label}
          </span>
        ))}
      </div>
    </div>
  )
}

const Numbers = ({ title, rows }: { title: string; rows: Rows }) => (
  <details className="mt-2 text-caption">
    <summary className="w-fit text-muted hover:text-text">The numbers</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <div tabIndex={0} className="mt-2 max-h-64 overflow-auto">
      <table className="w-full">
        <caption className="sr-only">{title}</caption>
        <tbody>
          {rows.map(({ id, label, value }) => (
            <tr key={id} className="border-t">
              <th scope="row" className="py-1 text-left font-normal">
                {label}
              </th>
              <td className="num text-right whitespace-nowrap">{formatValue(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
)

/** Labelled numbers as bars or a line, each number readable as text too. */
export const ValueChart = ({ chart: { type, title, unit, rows } }: { chart: ChartBlock }) => (
  <figure aria-label={title} className="my-3 rounded border bg-raised p-3">
    <figcaption className="mb-2 text-table font-medium">
      {title}
      {unit && <span className="font-normal text-muted"> in {unit}</span>}
    </figcaption>
    {type === 'bar' ? (
      <table className="w-full border-collapse text-table">
        <caption className="sr-only">{title}</caption>
        <BarRows rows={rows} />
      </table>
    ) : (
      <>
        <Line rows={rows} />
        <Numbers title={title} rows={rows} />
      </>
    )}
  </figure>
)
