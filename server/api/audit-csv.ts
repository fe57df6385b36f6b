import { AUDIT_ACTIONS, type AuditEvent } from '../accounts/shape'
import { csvTable } from '../kit/csv-table'

/** Events of the audit log as CSV. */
export const AUDIT_CSV = csvTable<AuditEvent>({
  at: ({ at }) => at,
  action: ({ action }) => action,
  what: ({ action }) => AUDIT_ACTIONS[action],
  subject: ({ subject }) => subject,
  actor_kind: ({ actorKind }) => actorKind,
  actor: ({ actor }) => actor,
  address: ({ address }) => address,
  user_agent: ({ userAgent }) => userAgent,
  detail: ({ detail }) => detail && JSON.stringify(detail),
})
