import { checkOwnPassword, hasPassword } from '../accounts/change-password'
import type { AccountDeletion, Session } from '../accounts/shape'
import { invalidRequest } from '../errors'
import { deleteOwner } from './delete'

/**
 * Deletes the account of whoever is signed in, who types its e-mail address and, where it has one,
 * its password. Throws `invalid_request`, and as `deleteOwner` does.
 */
export async function deleteOwnAccount(session: Session, { email, password }: AccountDeletion): Promise<void> {
  if (email !== session.email)
    throw invalidRequest([{ path: ['email'], message: 'This is not the e-mail address of this account.' }])
  if (await hasPassword(session.ownerId)) await checkOwnPassword(session.ownerId, { password, field: 'password' })
  await deleteOwner(session.ownerId, { kind: 'owner', email: null })
}
