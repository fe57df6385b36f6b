import { scaleLinear } from 'd3-scale'
import { type ChartBlock, formatValue } from './chart-block'
import { LinePlot } from './line-plot'

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
        <LinePlot rows={rows} label={title} />
        <Numbers title={title} rows={rows} />
      </>
    )}
  </figure>
)
