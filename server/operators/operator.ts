import { asAudited, type NewAuditEvent, type RequestOrigin, recordAudit } from '../accounts/audit'
import type { Transaction } from '../db'

/** Who acts: a signed-in admin, or a command, which has no address. */
export type Operator = { email: string | null; origin?: RequestOrigin }

/** Whoever runs the admin commands. */
export const COMMAND_LINE: Operator = { email: null }

type Act = Pick<NewAuditEvent, 'ownerId' | 'action' | 'subject' | 'detail'>

const lineOf = ({ email, origin }: Operator, act: Act): NewAuditEvent => ({
  ...act,
  actor: { kind: 'operator', email },
  origin,
})

/**
 * Writes an operator's act into the audit log of the owner that it concerns, in the transaction of
 * the act. The operators' log is the same rows. Returns the line's id.
 */
export const recordAct = (tx: Transaction, operator: Operator, act: Act): Promise<bigint> =>
  recordAudit(tx, lineOf(operator, act))

/** Runs an operator's act, whose line is written in the transaction of the `inAct` that does it. */
export const actAs = <T>(operator: Operator, act: Act, run: () => Promise<T>): Promise<T> =>
  asAudited(lineOf(operator, act), run)
