import Link from 'next/link'
import { AUDIT_ACTIONS } from '@/server/accounts/shape'
import { auditDetails } from '../settings/audit-details'
import { DataTable, Head, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import type { OperatorLogRow } from './views'

const actorOf = ({ actor }: OperatorLogRow): string => actor ?? 'Command line'

/** What concerns no account: the settings of the service. */
const THE_SERVICE = 0

const ownerOf = ({ ownerId, ownerEmail }: OperatorLogRow): string =>
  ownerId === THE_SERVICE ? 'The service' : (ownerEmail ?? `owner ${ownerId}`)

/** What operators did, newest first. */
export const OperatorLogTable = ({ rows }: { rows: readonly OperatorLogRow[] }) => (
  <DataTable label="What operators did">
    <Head>
      <Th>When</Th>
      <Th>What</Th>
      <Th wide>Owner</Th>
      <Th wide>Who</Th>
    </Head>
    <tbody>
      {rows.map((row) => (
        <tr key={row.id} className="border-b last:border-b-0">
          <Td className="align-top text-muted">
            <TimeAgo at={row.at} />
          </Td>
          <Td className="max-w-96 min-w-0 [overflow-wrap:anywhere]">
            <p>
              <span className="font-medium">{AUDIT_ACTIONS[row.action]}</span>
              {row.subject && <> · {row.subject}</>}
            </p>
            <p className="text-caption text-muted">{auditDetails(row.detail)}</p>
            <p className="text-caption text-muted lg:hidden">
              {ownerOf(row)} · {actorOf(row)}
            </p>
          </Td>
          <Td wide className="max-w-72 align-top [overflow-wrap:anywhere]">
            {row.ownerId === THE_SERVICE ? (
              ownerOf(row)
            ) : (
              <Link href={`/operators/owners/${row.ownerId}`} className="underline underline-offset-2">
                {ownerOf(row)}
              </Link>
            )}
          </Td>
          <Td wide className="max-w-72 align-top [overflow-wrap:anywhere]">
            {actorOf(row)}
          </Td>
        </tr>
      ))}
    </tbody>
  </DataTable>
)
