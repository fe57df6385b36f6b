import { resetPassword } from '../accounts/change-password'
import { removeAllFactors } from '../accounts/factors/second-factors'
import { createResetLink } from '../accounts/password-reset'
import { endAllSessions } from '../accounts/session'
import { inTransaction, runIn } from '../db'
import { AppError } from '../errors'
import { statement } from '../kit/statement'
import { getOwner } from './find-owner'
import { type Operator, recordAct } from './operator'

/** Sets an owner's password and ends all of its sessions. Throws `invalid_request`, `not_found`. */
export async function setOwnerPassword(operator: Operator, ownerId: number, password: string): Promise<void> {
  const { email } = await getOwner(ownerId)
  await resetPassword(email, password)
  await recordAct(operator, { ownerId, action: 'password_reset' })
}

/**
 * A link with which an owner sets a new password, for the operator to pass on; until then nothing
 * changes. Throws `not_found`.
 */
export async function makeResetLink(operator: Operator, ownerId: number): Promise<{ url: string; expiresAt: string }> {
  const { email } = await getOwner(ownerId)
  const { url, expiresAt } = await createResetLink(email, operator.email)
  await recordAct(operator, { ownerId, action: 'password_reset_requested' })
  return { url, expiresAt: expiresAt.toISOString() }
}

/**
 * Removes the second factors and recovery codes of an owner who lost them, and ends all of their
 * sessions. Throws `not_found`, and `conflict` where there are none.
 */
export async function removeFactorsOf(operator: Operator, ownerId: number): Promise<void> {
  await getOwner(ownerId)
  if (!(await removeAllFactors(ownerId))) throw new AppError('conflict', 'This owner has no second factor.')
  await endAllSessions(ownerId)
  await recordAct(operator, { ownerId, action: 'second_factor_removed' })
}

/** Signs an owner out of every browser. Throws `not_found`. */
export async function endSessionsOf(operator: Operator, ownerId: number): Promise<void> {
  await getOwner(ownerId)
  await endAllSessions(ownerId)
  await recordAct(operator, { ownerId, action: 'signed_out_everywhere' })
}

// All of them are locked, so that of two who remove each other one finds itself the last.
const LOCK_ADMINS = statement({
  name: 'operators_lock_admins',
  sql: 'SELECT id FROM owner WHERE is_admin ORDER BY id FOR NO KEY UPDATE',
  params: [],
  columns: { id: 'int' },
})

/**
 * Makes an owner an operator, or takes that away. Throws `not_found`, and `conflict` for the last
 * operator.
 */
export async function setOperator(operator: Operator, ownerId: number, isAdmin: boolean): Promise<void> {
  await getOwner(ownerId)
  const isChanged = await inTransaction(async (tx) => {
    const admins = (await runIn(tx, LOCK_ADMINS, [])).map(({ id }) => id)
    if (admins.includes(ownerId) === isAdmin) return false
    if (!isAdmin && admins.length === 1)
      throw new AppError('conflict', 'This is the last operator. Make somebody else an operator first.')
    await tx.owner.update({ where: { id: ownerId }, data: { isAdmin } })
    return true
  })
  if (isChanged) await recordAct(operator, { ownerId, action: isAdmin ? 'operator_made' : 'operator_removed' })
}
