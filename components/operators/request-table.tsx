import Link from 'next/link'
import type { CallReceipt } from '@/server/credits/shape'
import { Credits } from '../ui/amount'
import { cn } from '../ui/cn'
import { formatDuration } from '../ui/format-time'
import { coversRow, DataTable, Head, Row, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { CHANNEL_LABELS, ReceiptStatusBadge, receiptDurationMs } from '../usage/receipt-labels'

/** Requests of an owner; a row links to what an operator sees of one. */
export const RequestTable = ({ rows }: { rows: readonly CallReceipt[] }) => (
  <DataTable label="Requests">
    <Head>
      <Th>When</Th>
      <Th>What</Th>
      <Th wide>Key</Th>
      <Th wide>Channel</Th>
      <Th wide>Status</Th>
      <Th wide right>
        Duration
      </Th>
      <Th right>Credits</Th>
    </Head>
    <tbody>
      {rows.map((row) => (
        <Row key={row.requestId}>
          <Td className="text-muted">
            <TimeAgo at={row.at} />
          </Td>
          <Td className="min-w-0 wrap-anywhere">
            <Link href={`/operators/requests/${row.requestId}`} className={cn('num', coversRow)}>
              {row.what}
            </Link>
            {row.detail.error && <span className="block text-caption text-muted">{row.detail.error}</span>}
            {row.status !== 'ok' && (
              <span className="mt-1 block lg:hidden">
                <ReceiptStatusBadge of={row} />
              </span>
            )}
          </Td>
          <Td wide className="max-w-48 truncate">
            {row.keyName ? <bdi>{row.keyName}</bdi> : <span className="text-muted">Dashboard</span>}
          </Td>
          <Td wide className="text-muted">
            {CHANNEL_LABELS[row.channel]}
          </Td>
          <Td wide>
            <ReceiptStatusBadge of={row} />
          </Td>
          <Td wide right className="num text-muted">
            {formatDuration(receiptDurationMs(row))}
          </Td>
          <Td right>
            <Credits value={row.credits.charged} className={row.credits.charged === 0 ? 'text-muted' : undefined} />
          </Td>
        </Row>
      ))}
    </tbody>
  </DataTable>
)
