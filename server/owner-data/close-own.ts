import { checkOwnPassword, hasPassword } from '../accounts/change-password'
import type { AccountDeletion, Session } from '../accounts/shape'
import { invalidRequest } from '../errors'
import { deletePerson } from './delete'

/**
 * Deletes whoever is signed in, who types their e-mail address and, where they have one, their
 * password. Throws `invalid_request`, and as `deletePerson` does.
 */
export async function deleteOwnAccount(session: Session, { email, password }: AccountDeletion): Promise<void> {
  if (email !== session.email)
    throw invalidRequest([{ path: ['email'], message: 'This is not the e-mail address of this account.' }])
  if (await hasPassword(session.personId)) await checkOwnPassword(session.personId, { password, field: 'password' })
  await deletePerson(session.personId, { kind: 'owner', email: null })
}
