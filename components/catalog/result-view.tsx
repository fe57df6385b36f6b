import { useState } from 'react'
import { AgentText } from '../jobs/agent-text'
import { formatCredits as formatCount } from '../ui/amount'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { Tabs } from '../ui/tabs'
import { JsonView } from './json-view'
import { type ResultShape, type ResultTable, resultShape } from './result-shape'
import { ResultValue } from './result-value'

/** Rows and columns before the reader asks for all. */
const FIRST_ROWS = 10
const FIRST_COLUMNS = 6
/** Values by name before the reader asks for all. */
const FIRST_FACTS = 16

type TableProps = { of: ResultTable; first: readonly string[] }

/** A list of a result, its most useful columns and its first rows first. */
function TableView({ of: { name, columns, rows }, first }: TableProps) {
  const [isWhole, setWhole] = useState(false)
  const [isWide, setWide] = useState(false)
  const ordered = [...first.filter((column) => columns.includes(column)), ...columns.filter((c) => !first.includes(c))]
  const shown = isWide ? ordered : ordered.slice(0, FIRST_COLUMNS)
  const isNumber = (column: string) => rows.every((row) => ['number', 'undefined'].includes(typeof row.get(column)))
  const numbers = new Set(shown.filter(isNumber))
  return (
    <div className="rounded border bg-raised">
      <section
        aria-label={`Table of ${name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="scroll-edges max-h-[70dvh] overflow-auto"
      >
        <table className="w-full text-table">
          <thead className="text-left text-caption text-muted">
            <tr>
              {shown.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className={cn(
                    'num sticky top-0 bg-raised px-3 py-1.5 font-medium shadow-[inset_0_-1px_var(--line)]',
                    numbers.has(column) && 'text-right',
                  )}
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(isWhole ? rows : rows.slice(0, FIRST_ROWS)).map((row, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a result never changes
              <tr key={i} className="border-t align-top first:border-t-0">
                {shown.map((column) => (
                  <td
                    key={column}
                    className={cn('px-3 py-1.5', numbers.has(column) ? 'text-right' : 'max-w-80 min-w-24')}
                  >
                    <ResultValue of={row.get(column)} isShort />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {(rows.length > FIRST_ROWS || columns.length > FIRST_COLUMNS) && (
        <div className="flex flex-wrap gap-2 border-t p-2">
          {rows.length > FIRST_ROWS && (
            <Button size="small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
              {isWhole ? `Show the first ${FIRST_ROWS}` : `Show all ${formatCount(rows.length)} rows`}
            </Button>
          )}
          {columns.length > FIRST_COLUMNS && (
            <Button size="small" aria-expanded={isWide} onClick={() => setWide(!isWide)}>
              {isWide ? 'Show fewer columns' : `Show all ${formatCount(columns.length)} columns`}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

type Facts = NonNullable<ResultShape>['facts']

/** Values by name, the first ones first. */
function FactsView({ of }: { of: Facts }) {
  const [isWhole, setWhole] = useState(false)
  return (
    <div className="text-table">
      <dl className="divide-y">
        {(isWhole ? of : of.slice(0, FIRST_FACTS)).map(([name, value]) => (
          <div key={name} className="grid grid-cols-[minmax(0,2fr)_minmax(0,5fr)] gap-3 py-1.5">
            <dt className="num text-caption leading-5 wrap-anywhere text-muted">{name}</dt>
            <dd className="min-w-0">
              <ResultValue of={value} />
            </dd>
          </div>
        ))}
      </dl>
      {of.length > FIRST_FACTS && (
        <Button size="small" className="mt-2" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Show the first ${FIRST_FACTS}` : `Show all ${of.length} fields`}
        </Button>
      )}
    </div>
  )
}

function ShapeView({ of, first }: { of: NonNullable<ResultShape>; first: readonly string[] }) {
  const { facts, text, tables, areFactsFirst } = of
  const factsView = facts.length > 0 && <FactsView of={facts} />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {areFactsFirst && text === null && factsView}
      {text !== null && (
        <section
          aria-label="Text"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="max-h-[70dvh] overflow-auto rounded border bg-raised p-3"
        >
          <AgentText text={text} />
        </section>
      )}
      {tables.map((table) => (
        <div key={table.name} className="min-w-0">
          <p className="mb-1 text-caption text-muted">
            <span className="num">{table.name}</span>, {formatCount(table.rows.length)}{' '}
            {table.rows.length === 1 ? 'row' : 'rows'}
          </p>
          <TableView of={table} first={first} />
        </div>
      ))}
      {(!areFactsFirst || text !== null) && factsView}
    </div>
  )
}

function nameOf({ tables, text, areFactsFirst }: NonNullable<ResultShape>): string {
  if (text !== null) return 'Text'
  return tables.length > 0 && !areFactsFirst ? 'Table' : 'Fields'
}

type Props = {
  output: unknown
  /** Columns of its lists, the most useful first. */
  first?: readonly string[]
}

/** A tool's result as tables, text or values by name, with its JSON behind a tab. */
export function ResultView({ output, first = [] }: Props) {
  const shape = resultShape(output)
  const json = <JsonView text={typeof output === 'string' ? output : JSON.stringify(output, null, 2)} />
  if (!shape) return json
  return (
    <Tabs
      label="Forms of the result"
      tabs={[
        { id: 'shown', label: nameOf(shape), body: <ShapeView of={shape} first={first} /> },
        { id: 'json', label: 'JSON', body: json },
      ]}
    />
  )
}
