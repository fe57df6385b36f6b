import { formatCredits as formatCount } from '../ui/amount'
import { SortLink } from '../ui/sort-link'
import { DataTable, Head, Row, Td } from '../ui/table'
import type { ShownDataset, ShownRows } from './shape'

const textOf = (cell: ShownRows['rows'][number][number]) =>
  typeof cell === 'number' && Number.isInteger(cell) && Math.abs(cell) >= 10_000 ? formatCount(cell) : String(cell)

/** Some rows of a dataset. A column's name sorts by it. */
export function RowsTable({ columns, rows }: { columns: ShownDataset['columns']; rows: ShownRows['rows'] }) {
  const isNumber = columns.map(({ type }) => type === 'integer' || type === 'number')
  return (
    // The names of columns stick to what scrolls, not to the bar above the page.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section aria-label="Rows, which scroll" tabIndex={0} className="overflow-x-auto [--bar:0px]">
      <DataTable label="Rows">
        <Head>
          {columns.map(({ name }, at) => (
            <SortLink key={name} column={name} first={isNumber[at] ? 'desc' : 'asc'} right={isNumber[at]}>
              {name}
            </SortLink>
          ))}
        </Head>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and their order is the server's
            <Row key={at}>
              {columns.map(({ name }, column) => (
                <Td key={name} right={isNumber[column]} className={isNumber[column] ? 'num' : 'wrap-anywhere'}>
                  {row[column] === null || row[column] === undefined ? (
                    <span className="text-muted">–</span>
                  ) : (
                    <bdi className="line-clamp-4 w-max max-w-72">{textOf(row[column])}</bdi>
                  )}
                </Td>
              ))}
            </Row>
          ))}
        </tbody>
      </DataTable>
    </section>
  )
}
