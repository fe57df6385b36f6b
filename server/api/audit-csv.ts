import { stringify } from 'csv-stringify/sync'
import { AUDIT_ACTIONS, type AuditEvent } from '../accounts/shape'

const COLUMNS: Readonly<Record<string, (event: AuditEvent) => string | null>> = {
  at: ({ at }) => at,
  action: ({ action }) => action,
  what: ({ action }) => AUDIT_ACTIONS[action],
  subject: ({ subject }) => subject,
  actor_kind: ({ actorKind }) => actorKind,
  actor: ({ actor }) => actor,
  address: ({ address }) => address,
  user_agent: ({ userAgent }) => userAgent,
  detail: ({ detail }) => detail && JSON.stringify(detail),
}

const toLines = (rows: (string | null)[][]): string => stringify(rows, { escape_formulas: true })

/** The header line of `auditToCsv`. */
export const auditCsvHeader = (): string => toLines([Object.keys(COLUMNS)])

/** Events of the audit log as CSV. Texts that a spreadsheet would run as a formula are escaped. */
export const auditToCsv = (events: readonly AuditEvent[]): string =>
  toLines(events.map((event) => Object.values(COLUMNS).map((cellOf) => cellOf(event))))
