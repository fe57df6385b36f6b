import { useState } from 'react'
import { JsonView } from '../catalog/json-view'
import { formatCredits } from '../ui/amount'
import { Button } from '../ui/button'
import { AgentText } from './agent-text'
import { type ResultShape, resultShape } from './result-shape'

/** Rows before the reader asks for all. */
const FIRST_ROWS = 10

const cellOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

const Facts = ({ facts }: Pick<ResultShape & { kind: 'facts' }, 'facts'>) => (
  <dl className="grid gap-x-4 gap-y-1 text-table sm:grid-cols-[auto_minmax(0,1fr)]">
    {facts.map(([name, value]) => (
      <div key={name} className="contents">
        <dt className="num text-caption text-muted">{name}</dt>
        <dd className="min-w-0 [overflow-wrap:anywhere]">{cellOf(value)}</dd>
      </div>
    ))}
  </dl>
)

function ResultTable({ name, columns, rows }: ResultShape & { kind: 'table' }) {
  const [isWhole, setWhole] = useState(false)
  return (
    <div className="rounded border bg-sunken">
      <section
        aria-label={`Table of ${name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="max-h-[70dvh] overflow-auto"
      >
        <table className="w-full text-table">
          <thead className="text-left text-caption text-muted">
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" className="num px-3 py-1.5 font-medium">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(isWhole ? rows : rows.slice(0, FIRST_ROWS)).map((row, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a result never changes
              <tr key={i} className="border-t align-top">
                {columns.map((column) => (
                  <td key={column} className="max-w-80 min-w-24 px-3 py-1.5">
                    <span className="line-clamp-3 [overflow-wrap:anywhere]">{cellOf(row[column])}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > FIRST_ROWS && (
        <div className="border-t p-2">
          <Button size="small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? `Show the first ${FIRST_ROWS}` : `Show all ${formatCredits(rows.length)} rows`}
          </Button>
        </div>
      )}
    </div>
  )
}

/** A tool's result as a table, text or values by name, with its JSON one click away. */
export function ResultView({ output }: { output: unknown }) {
  const [isRaw, setRaw] = useState(false)
  const shape = resultShape(output)
  const json = <JsonView text={typeof output === 'string' ? output : JSON.stringify(output, null, 2)} />
  if (shape.kind === 'json') return json
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {isRaw ? (
        json
      ) : (
        <>
          {shape.facts.length > 0 && <Facts facts={shape.facts} />}
          {shape.kind === 'table' && <ResultTable {...shape} />}
          {shape.kind === 'text' && (
            <section
              aria-label="Text"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
              tabIndex={0}
              className="max-h-[70dvh] overflow-auto rounded border bg-sunken p-3"
            >
              <AgentText text={shape.text} />
            </section>
          )}
        </>
      )}
      <div>
        <Button size="small" kind="quiet" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          JSON
        </Button>
      </div>
    </div>
  )
}
