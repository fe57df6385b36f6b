import { AUDIT_ACTIONS } from '../../accounts/shape'
import { csvTable } from '../../kit/csv-table'
import type { OperatorAct } from '../../operators/views'

/** Acts of operators as CSV. */
export const OPERATOR_LOG_CSV = csvTable<OperatorAct>({
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
})
