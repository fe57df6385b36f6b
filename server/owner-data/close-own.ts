import { checkOwnPassword, hasPassword } from '../accounts/change-password'
import { accountNameOf, membershipRelations } from '../accounts/members/memberships'
import type { AccountDeletion, Session } from '../accounts/shape'
import { prisma } from '../db'
import { invalidRequest } from '../errors'
import { deletePerson } from './delete'
import type { OwnDeletion } from './shape'

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

/** What deleting oneself takes away, and what keeps it from happening. */
export async function readOwnDeletion(personId: number): Promise<OwnDeletion> {
  const rows = await prisma().member.findMany({
    where: { personId, account: { deletedAt: null } },
    orderBy: { joinedAt: 'asc' },
    include: { account: { select: { ...membershipRelations.account.select, members: true } } },
  })
  const accounts = rows.map(({ accountId, account }) => {
    const others = account.members.filter((member) => member.personId !== personId)
    const hasOwner = others.some(({ role }) => role === 'owner')
    return { name: accountNameOf(account), isOwn: accountId === personId, others: others.length, hasOwner }
  })
  const own = accounts.find(({ isOwn }) => isOwn)
  const ofOthers = accounts.filter(({ isOwn }) => !isOwn)
  return {
    own: own ? { name: own.name, others: own.others, stays: own.hasOwner } : null,
    leaves: ofOthers.filter(({ hasOwner }) => hasOwner).map(({ name }) => name),
    blockedBy: ofOthers.filter(({ hasOwner }) => !hasOwner).map(({ name }) => name),
  }
}
