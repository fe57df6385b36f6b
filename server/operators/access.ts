import { resetPassword } from '../accounts/change-password'
import { type CreatedOwner, insertOwner, newOwnerRow } from '../accounts/create'
import { removeAllFactors } from '../accounts/factors/second-factors'
import { createResetLink } from '../accounts/password-reset'
import { endAllSessions, endOtherSessionsIn } from '../accounts/session'
import type { SignUp } from '../accounts/shape'
import { inTransaction, runIn } from '../db'
import { AppError } from '../errors'
import { statement } from '../kit/statement'
import { getOwner } from './find-owner'
import { actAs, type Operator, recordAct } from './operator'

/**
 * Makes an owner: no sign-up rules, no credits. Throws `invalid_request` for an invalid address or
 * password, `conflict` when the address is taken.
 */
export async function createOwner(operator: Operator, input: SignUp & { admin?: boolean }): Promise<CreatedOwner> {
  const row = await newOwnerRow(input)
  return inTransaction(async (tx) => {
    const owner = await insertOwner(tx, row)
    await recordAct(tx, operator, { ownerId: owner.id, action: 'account_created' })
    return owner
  })
}

/** Sets an owner's password and ends all of its sessions. Throws `invalid_request`, `not_found`. */
export async function setOwnerPassword(operator: Operator, ownerId: number, password: string): Promise<void> {
  const { email } = await getOwner(ownerId)
  await actAs(operator, { ownerId, action: 'password_reset' }, () => resetPassword(email, password))
}

/**
 * A link with which an owner sets a new password, for the operator to pass on; until then nothing
 * changes. Throws `not_found`.
 */
export async function makeResetLink(operator: Operator, ownerId: number): Promise<{ url: string; expiresAt: string }> {
  const { email } = await getOwner(ownerId)
  const act = { ownerId, action: 'password_reset_requested' } as const
  const { url, expiresAt } = await actAs(operator, act, () => createResetLink(email, operator.email))
  return { url, expiresAt: expiresAt.toISOString() }
}

/**
 * Removes the second factors and recovery codes of an owner who lost them, and ends all of their
 * sessions. Throws `not_found`, and `conflict` where there are none.
 */
export async function removeFactorsOf(operator: Operator, ownerId: number): Promise<void> {
  await getOwner(ownerId)
  await inTransaction(async (tx) => {
    if (!(await removeAllFactors(tx, ownerId))) throw new AppError('conflict', 'This owner has no second factor.')
    await endOtherSessionsIn(tx, ownerId, null)
    await recordAct(tx, operator, { ownerId, action: 'second_factor_removed' })
  })
}

/** Signs an owner out of every browser. Throws `not_found`. */
export async function endSessionsOf(operator: Operator, ownerId: number): Promise<void> {
  await getOwner(ownerId)
  await actAs(operator, { ownerId, action: 'signed_out_everywhere' }, () => endAllSessions(ownerId))
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
  await inTransaction(async (tx) => {
    const admins = (await runIn(tx, LOCK_ADMINS, [])).map(({ id }) => id)
    if (admins.includes(ownerId) === isAdmin) return
    if (!isAdmin && admins.length === 1)
      throw new AppError('conflict', 'This is the last operator. Make somebody else an operator first.')
    await tx.owner.update({ where: { id: ownerId }, data: { isAdmin } })
    await recordAct(tx, operator, { ownerId, action: isAdmin ? 'operator_made' : 'operator_removed' })
  })
}
