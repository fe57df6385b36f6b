import Link from 'next/link'
import type { RefusalTotals, RefusedCall } from '@/server/request-log/shape'
import { StackedBars } from '../charts/stacked-bars'
import { Badge } from '../ui/badge'
import { Card } from '../ui/page'
import { DataTable, Head, Row, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'

/** What a status refuses for, where no limit has a name. */
const STATUS_TEXT: Record<number, string> = {
  401: 'Key not valid',
  402: 'Not enough credits',
  403: 'Not allowed',
  409: 'Conflict',
  422: 'Idempotency key reused',
  429: 'Too many requests',
}

/** A limit in words, behind its status. */
function nameOf(status: number, limitName: string): string {
  const text = limitName === '' || limitName === 'rate' ? (STATUS_TEXT[status] ?? 'Refused') : limitName
  return `${status} ${text}`
}

type ChartProps = { totals: RefusalTotals; timeZone: string }

/** Refused requests over time, by status and limit. */
export const RefusalsChart = ({ totals, timeZone }: ChartProps) => (
  <Card className="mb-6">
    <StackedBars
      buckets={totals.buckets}
      unit={totals.unit}
      series={totals.series.map(({ status, limitName, values }) => ({ name: nameOf(status, limitName), values }))}
      label="Refused calls by status and limit"
      of="calls"
      timeZone={timeZone}
    />
  </Card>
)

/** How rows name their key: not at all where they are of one; without a link to operators. */
type Keys = 'linked' | 'named' | 'hidden'

const RefusalRow = ({ of, keys }: { of: RefusedCall; keys: Keys }) => (
  <Row>
    <Td className="align-top whitespace-nowrap text-muted">
      <TimeAgo at={of.at} />
    </Td>
    <Td className="align-top">
      <Badge tone={of.status === 402 || of.status === 429 ? 'warn' : 'bad'}>{of.status}</Badge>
    </Td>
    <Td className="min-w-48 align-top">
      <span className="num block wrap-anywhere">{of.called ?? of.operation}</span>
      <span className="block text-caption wrap-anywhere text-muted">{of.message}</span>
    </Td>
    {keys !== 'hidden' && (
      <Td wide className="max-w-48 truncate align-top">
        {keys === 'linked' ? (
          <Link href={`/keys/${of.keyId}`} prefetch={false} className="hover:underline">
            <bdi>{of.keyName}</bdi>
          </Link>
        ) : (
          <bdi>{of.keyName}</bdi>
        )}
      </Td>
    )}
    <Td wide className="max-w-48 truncate align-top">
      {of.limit && of.limit.name !== 'rate' ? (
        <bdi>{of.limit.name}</bdi>
      ) : (
        <span className="text-muted">{of.reason}</span>
      )}
    </Td>
    <Td wide className="num align-top text-caption text-muted">
      {of.requestId}
    </Td>
  </Row>
)

/** The last refused requests, newest first. */
export const RefusalTable = ({ rows, keys = 'linked' }: { rows: readonly RefusedCall[]; keys?: Keys }) => (
  <DataTable label="Refused calls">
    <Head>
      <Th>When</Th>
      <Th>Status</Th>
      <Th>Call</Th>
      {keys !== 'hidden' && <Th wide>Key</Th>}
      <Th wide>Limit or reason</Th>
      <Th wide>Request</Th>
    </Head>
    <tbody>
      {rows.map((refusal) => (
        <RefusalRow key={refusal.requestId} of={refusal} keys={keys} />
      ))}
    </tbody>
  </DataTable>
)
