import Link from 'next/link'
import type { TrafficPage } from '@/server/operators/shape'
import { formatCredits } from '../ui/amount'
import { cn } from '../ui/cn'
import { formatDuration } from '../ui/format-time'
import { KeyboardRows } from '../ui/keyboard-rows'
import { SortLink } from '../ui/sort-link'
import { coversRow, DataTable, Head, Row, Td, Th } from '../ui/table'
import { OwnerBadges } from './owner-badges'
import type { OwnerTraffic } from './views'

type Column = TrafficPage['sort']

const LABELS: Record<Column, string> = {
  requests: 'Requests',
  refused: 'Refused',
  errors: 'Errors',
  latency: 'Time to answer',
  time: 'Time in all',
  inProgress: 'In progress',
  spent: 'Credits',
}
const COLUMNS = Object.keys(LABELS) as Column[]

/** Refusals by their status, those that happened. */
const refusalsOf = ({ refused }: OwnerTraffic): string =>
  Object.entries(refused)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${status}: ${formatCredits(count)}`)
    .join(', ')

/** What a cell says, and below it what that is made of. */
const CELLS: Record<Column, (row: OwnerTraffic) => { figure: string; note?: string }> = {
  requests: ({ requests }) => ({ figure: formatCredits(requests) }),
  refused: (row) => ({
    figure: formatCredits(row.refused[402] + row.refused[403] + row.refused[429]),
    note: refusalsOf(row),
  }),
  errors: ({ errors }) => ({ figure: formatCredits(errors) }),
  latency: ({ averageMs, slowestMs }) =>
    slowestMs > 0
      ? { figure: formatDuration(averageMs), note: `at most ${formatDuration(slowestMs)}` }
      : { figure: '–', note: 'none answered' },
  time: ({ totalMs }) => ({ figure: totalMs > 0 ? formatDuration(totalMs) : '–' }),
  inProgress: ({ inProgress }) => ({ figure: formatCredits(inProgress) }),
  spent: ({ spent }) => ({ figure: formatCredits(spent) }),
}

const NO_BREAK = '\u00a0'

/** The figures in a line, for narrow screens, which have one column of them. */
const summaryOf = (row: OwnerTraffic): string =>
  [
    `${formatCredits(row.requests)} requests`,
    refusalsOf(row) && `refused ${refusalsOf(row)}`,
    row.errors > 0 && `${formatCredits(row.errors)} errors`,
    row.slowestMs > 0 && `${formatDuration(row.averageMs)} on average`,
    row.totalMs > 0 && `${formatDuration(row.totalMs)} in all`,
    row.inProgress > 0 && `${formatCredits(row.inProgress)} in progress`,
    `${formatCredits(row.spent)} credits`,
  ]
    .filter((part) => typeof part === 'string' && part !== '')
    .map((part) => String(part).replaceAll(' ', NO_BREAK))
    .join(' · ')

function Cell({ of, column, sort }: { of: OwnerTraffic; column: Column; sort: Column }) {
  const { figure, note } = CELLS[column](of)
  return (
    <Td right wide={column !== sort} className="align-top">
      <span className={cn('num whitespace-nowrap', /^[0–]$/.test(figure) && 'text-muted')}>{figure}</span>
      {note && <span className="num block text-caption whitespace-nowrap text-muted max-lg:hidden">{note}</span>}
    </Td>
  )
}

/** Owners by what they take, ordered by the column `sort`; a row links to the owner. */
export const TrafficTable = ({ rows, sort }: { rows: readonly OwnerTraffic[]; sort: Column }) => (
  <KeyboardRows>
    <DataTable label="Owners by traffic">
      <Head>
        <Th>Owner</Th>
        {COLUMNS.map((column) => (
          <SortLink
            key={column}
            column={column}
            initial={column === sort ? 'desc' : undefined}
            isOneWay
            right
            wide={column !== sort}
          >
            {LABELS[column]}
          </SortLink>
        ))}
      </Head>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id}>
            <Td className="min-w-0 align-top lg:max-w-72">
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <Link
                  href={`/operators/owners/${row.id}`}
                  data-row-go
                  className={cn('font-medium wrap-anywhere focus-visible:outline-none', coversRow)}
                >
                  {row.email}
                </Link>
                <OwnerBadges isAdmin={false} suspendedFor={row.suspendedFor} />
              </span>
              <span className="block text-caption text-muted lg:hidden">{summaryOf(row)}</span>
            </Td>
            {COLUMNS.map((column) => (
              <Cell key={column} of={row} column={column} sort={sort} />
            ))}
          </Row>
        ))}
      </tbody>
    </DataTable>
  </KeyboardRows>
)
