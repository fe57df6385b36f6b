import { Badge } from '../ui/badge'
import { ShortId } from '../ui/copy'
import { DataTable, Head, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import type { OperatorProcess } from './views'

/** Processes that have reserved credits or claimed runs. */
export const ProcessTable = ({ rows }: { rows: readonly OperatorProcess[] }) => (
  <DataTable label="Processes">
    <Head>
      <Th>Process</Th>
      <Th>State</Th>
      <Th right>Calls</Th>
      <Th right>Runs</Th>
      <Th wide>Lease</Th>
    </Head>
    <tbody>
      {rows.map((row) => (
        <tr key={row.id} className="border-b last:border-b-0">
          <Td>
            <ShortId id={row.id} />
          </Td>
          <Td>{row.isAlive ? <Badge tone="good">Alive</Badge> : <Badge tone="plain">Ended</Badge>}</Td>
          <Td right className="num">
            {row.holds}
          </Td>
          <Td right className="num">
            {row.runs}
          </Td>
          <Td wide className="text-muted">
            {row.isAlive ? 'ends ' : 'ended '}
            <TimeAgo at={row.leaseUntil} />
          </Td>
        </tr>
      ))}
    </tbody>
  </DataTable>
)
