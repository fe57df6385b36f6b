import Link from 'next/link'
import { Credits } from '../ui/amount'
import { Badge } from '../ui/badge'
import { ShortId } from '../ui/copy'
import { DataTable, Head, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import type { OperatorHolds } from './views'

/** Calls that hold credits, the oldest first. */
export const HoldTable = ({ rows }: { rows: OperatorHolds['oldest'] }) => (
  <DataTable label="Reserved credits">
    <Head>
      <Th>Since</Th>
      <Th>Owner</Th>
      <Th wide>What</Th>
      <Th wide>Request id</Th>
      <Th wide>Process</Th>
      <Th right>Credits</Th>
    </Head>
    <tbody>
      {rows.map((row) => (
        <tr key={row.id} className="border-b last:border-b-0">
          <Td className="text-muted">
            <TimeAgo at={row.createdAt} />
          </Td>
          <Td className="min-w-0 wrap-anywhere">
            <Link href={`/operators/owners/${row.ownerId}`} className="underline underline-offset-2">
              {row.ownerEmail ?? `owner ${row.ownerId}`}
            </Link>
            <span className="num block text-caption text-muted lg:hidden">{row.what}</span>
          </Td>
          <Td wide className="num wrap-anywhere">
            {row.what}
          </Td>
          <Td wide>
            <ShortId id={row.id} />
          </Td>
          <Td wide>{row.isAlive ? <Badge>Alive</Badge> : <Badge tone="warn">Ended</Badge>}</Td>
          <Td right>
            <Credits value={row.credits} />
          </Td>
        </tr>
      ))}
    </tbody>
  </DataTable>
)
