import { stringify } from 'csv-stringify/sync'
import { AUDIT_ACTIONS } from '../../accounts/shape'
import type { OperatorAct } from '../../operators/views'

const COLUMNS: Readonly<Record<string, (act: OperatorAct) => string | number | null>> = {
  at: ({ at }) => at,
  action: ({ action }) => action,
  what: ({ action }) => AUDIT_ACTIONS[action],
  owner_id: ({ ownerId }) => ownerId,
  owner: ({ ownerEmail }) => ownerEmail,
  subject: ({ subject }) => subject,
  operator: ({ actor }) => actor,
  address: ({ address }) => address,
  user_agent: ({ userAgent }) => userAgent,
  detail: ({ detail }) => detail && JSON.stringify(detail),
}

const toLines = (rows: (string | number | null)[][]): string => stringify(rows, { escape_formulas: true })

/** The header line of `operatorActsToCsv`. */
export const operatorActsCsvHeader = (): string => toLines([Object.keys(COLUMNS)])

/** Acts of operators as CSV. Texts that a spreadsheet would run as a formula are escaped. */
export const operatorActsToCsv = (acts: readonly OperatorAct[]): string =>
  toLines(acts.map((act) => Object.values(COLUMNS).map((cellOf) => cellOf(act))))
