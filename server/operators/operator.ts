import { type NewAuditEvent, type RequestOrigin, recordAudit } from '../accounts/audit'

/** Who acts: a signed-in admin, or a command, which has no address. */
export type Operator = { email: string | null; origin?: RequestOrigin }

/** Whoever runs the admin commands. */
export const COMMAND_LINE: Operator = { email: null }

/**
 * Writes an operator's act into the audit log of the owner that it concerns. The operators' log is
 * the same rows.
 */
export const recordAct = (
  { email, origin }: Operator,
  act: Pick<NewAuditEvent, 'ownerId' | 'action' | 'subject' | 'detail'>,
): Promise<void> => recordAudit({ ...act, actor: { kind: 'operator', email }, origin })
