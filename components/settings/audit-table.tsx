import { AUDIT_ACTIONS, type AuditEvent } from '@/server/accounts/shape'
import { DataTable, Head, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { auditDetails } from './audit-details'
import { browserName } from './browser-name'

/** Who did it, for the owner who reads the log. */
function actorName({ actorKind, actor }: AuditEvent, email: string): string {
  if (actorKind === 'owner') return actor === null || actor === email ? 'You' : actor
  if (actorKind === 'key') return `Key ${actor ?? ''}`
  if (actorKind === 'operator') return actor ? `Operator (${actor})` : 'Operator'
  return 'Not signed in'
}

const placeOf = ({ address, userAgent }: AuditEvent): string =>
  [address, userAgent && browserName(userAgent)].filter(Boolean).join(' · ') || '—'

/** Events of the audit log, newest first. `email` is the reader's. */
export const AuditTable = ({ rows, email }: { rows: readonly AuditEvent[]; email: string }) => (
  <DataTable label="Audit log">
    <Head>
      <Th>When</Th>
      <Th>What</Th>
      <Th wide>Who</Th>
      <Th wide>Where</Th>
    </Head>
    <tbody>
      {rows.map((event) => (
        <tr key={event.id} className="border-b last:border-b-0">
          <Td className="align-top text-muted">
            <TimeAgo at={event.at} />
          </Td>
          <Td className="max-w-96 min-w-0 [overflow-wrap:anywhere]">
            <p>
              <span className="font-medium">{AUDIT_ACTIONS[event.action]}</span>
              {event.subject && <> · {event.subject}</>}
            </p>
            <p className="text-caption text-muted">{auditDetails(event.detail)}</p>
            <p className="text-caption text-muted lg:hidden">
              {actorName(event, email)} · {placeOf(event)}
            </p>
          </Td>
          <Td wide className="max-w-56 align-top [overflow-wrap:anywhere]">
            {actorName(event, email)}
          </Td>
          <Td wide className="max-w-72 align-top text-muted [overflow-wrap:anywhere]">
            <span title={event.userAgent ?? undefined}>{placeOf(event)}</span>
          </Td>
        </tr>
      ))}
    </tbody>
  </DataTable>
)
