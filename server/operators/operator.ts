import { type NewAuditEvent, type RequestOrigin, recordAudit, recordAuditIn } from '../accounts/audit'
import type { Transaction } from '../db'

/** Who acts: a signed-in admin, or a command, which has no address. */
export type Operator = { email: string | null; origin?: RequestOrigin }

/** Whoever runs the admin commands. */
export const COMMAND_LINE: Operator = { email: null }

type Act = Pick<NewAuditEvent, 'ownerId' | 'action' | 'subject' | 'detail'>

/**
 * Writes an operator's act into the audit log of the owner that it concerns. The operators' log is
 * the same rows.
 */
export const recordAct = ({ email, origin }: Operator, act: Act): Promise<void> =>
  recordAudit({ ...act, actor: { kind: 'operator', email }, origin })

/** The same, in the transaction of the act. */
export const recordActIn = (tx: Transaction, { email, origin }: Operator, act: Act): Promise<void> =>
  recordAuditIn(tx, { ...act, actor: { kind: 'operator', email }, origin })
