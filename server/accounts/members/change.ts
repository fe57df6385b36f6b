import { Prisma } from '../../../prisma/generated/client'
import { inAct, runIn, type Transaction } from '../../db'
import { AppError } from '../../errors'
import { statement } from '../../kit/statement'
import { mayAs, type Role } from '../shape'
import { memberNotFound, memberRelations, viewMember } from './memberships'
import type { Member } from './shape'

// All of them, so that of two owners who leave at once one finds itself the last.
const LOCK_OWNERS = statement({
  name: 'members_lock_owners',
  sql: "SELECT person_id FROM member WHERE account_id = $1 AND role = 'owner' ORDER BY person_id FOR UPDATE",
  params: ['int'],
  columns: { person_id: 'int' },
})
// Keys by id, as money locks them. One without a maker was made before there were members.
const END_MANAGEMENT_KEYS = statement({
  name: 'members_end_management_keys',
  sql: `WITH his AS MATERIALIZED (SELECT id FROM "key" WHERE owner_id = $1 AND management IS NOT NULL
      AND revoked_at IS NULL AND coalesce(person_id, owner_id) = $2 ORDER BY id FOR UPDATE)
    UPDATE "key" k SET revoked_at = now() FROM his WHERE k.id = his.id`,
  params: ['int', 'int'],
})

/**
 * A member, by who does it: the role of whoever is signed in, or of a management key. `check`
 * throws where it is not to be done to what the member is by then.
 */
export type MemberOf = { accountId: number; personId: number; by: Role; check?: (member: Member) => void }

/** The role of a member, as it stays until the transaction ends, and how many owners there are. */
async function lockMember(tx: Transaction, { accountId, personId }: Pick<MemberOf, 'accountId' | 'personId'>) {
  const owners = await runIn(tx, LOCK_OWNERS, [accountId])
  const member = await tx.member.findUnique({
    where: { accountId_personId: { accountId, personId } },
    include: memberRelations,
  })
  if (!member) throw memberNotFound()
  return { ...viewMember(member), isLastOwner: member.role === 'owner' && owners.length === 1 }
}

/** Only owners make, change and remove owners. Throws `forbidden`. */
export function requireOverRole(by: Role, ...roles: string[]): void {
  if (by !== 'owner' && roles.includes('owner'))
    throw new AppError('forbidden', 'This needs the role owner: only owners make, change and remove owners.')
}

const lastOwner = () =>
  new AppError('conflict', 'This is the last owner of the account. Make somebody else an owner first.')

/** Another role, and whether it follows the groups of the issuer from then on. */
type NewRole = { role: Role; byGroups: boolean }

/**
 * Gives a member a role in the caller's transaction. False, and nothing is done, where nobody else
 * would be an owner.
 */
export async function giveRoleIn(tx: Transaction, of: Omit<MemberOf, 'by'>, { role, byGroups }: NewRole) {
  const member = await lockMember(tx, of)
  if (member.isLastOwner && role !== 'owner') return false
  await tx.member.update({ where: { accountId_personId: of }, data: { role, byGroups } })
  if (!mayAs(role, 'admin')) await runIn(tx, END_MANAGEMENT_KEYS, [of.accountId, of.personId])
  return true
}

/**
 * Gives a member another role. Management keys that they made end where they may make none any
 * more. Throws `not_found`, `forbidden`, and `conflict` for the last owner.
 */
export function changeRole({ by, check, ...of }: MemberOf, role: Role): Promise<Member> {
  return inAct(async (tx) => {
    const { isLastOwner: _, ...member } = await lockMember(tx, of)
    check?.(member)
    requireOverRole(by, member.role, role)
    if (!(await giveRoleIn(tx, of, { role, byGroups: false }))) throw lastOwner()
    return { ...member, role, byGroups: false }
  })
}

/**
 * Takes a person out of an account: the sessions in it and the management keys that they made
 * end, and its notices are not sent to them any more; its other keys stay. No domain lets them in
 * again. Throws `not_found`, and `conflict` for the last owner.
 */
export async function removeMemberIn(tx: Transaction, { check, ...of }: Omit<MemberOf, 'by'>): Promise<Member> {
  const { isLastOwner, ...member } = await lockMember(tx, of)
  check?.(member)
  if (isLastOwner) throw lastOwner()
  // Of a process of 0.1.0: it looks at the person's own account.
  if (of.accountId === of.personId) await tx.session.deleteMany({ where: { ownerId: of.personId, accountId: null } })
  await runIn(tx, END_MANAGEMENT_KEYS, [of.accountId, of.personId])
  await tx.member.delete({ where: { accountId_personId: of } })
  await tx.formerMember.createMany({ data: of, skipDuplicates: true })
  await tx.noticeMail.deleteMany({ where: { personId: of.personId, notice: { ownerId: of.accountId } } })
  await tx.noticeReader.deleteMany({ where: { ownerId: of.accountId, personId: of.personId } })
  return member
}

/** The same for somebody else. Throws `forbidden` as well, where only an owner may. */
export function removeMember({ by, check, ...of }: MemberOf): Promise<Member> {
  const checkAll = (member: Member) => {
    check?.(member)
    requireOverRole(by, member.role)
  }
  return inAct((tx) => removeMemberIn(tx, { ...of, check: checkAll }))
}

/** Leaves an account. Throws `conflict` for its last owner. */
export const leaveAccount = (of: Omit<MemberOf, 'by'>): Promise<Member> => inAct((tx) => removeMemberIn(tx, of))

/** Makes a person a member. Throws `conflict` where they are one already. */
export async function addMember(
  tx: Transaction,
  member: { accountId: number; personId: number; role: Role; byGroups?: boolean },
): Promise<void> {
  try {
    await tx.member.create({ data: member })
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002')
      throw new AppError('conflict', 'You belong to this account already.')
    throw error
  }
}

/** What the account is called; an empty name removes it. */
export async function renameAccount(id: number, name: string): Promise<void> {
  await inAct((tx) => tx.owner.update({ where: { id }, data: { accountName: name === '' ? null : name } }))
}

/** Whether members must have a second factor: without one they reach nothing but its page. */
export async function setRequiresFactor(id: number, requiresFactor: boolean): Promise<void> {
  await inAct((tx) => tx.owner.update({ where: { id }, data: { requiresFactor } }))
}

/** Whether members of an account must have a second factor. */
export async function getRequiresFactor(tx: Transaction, id: number): Promise<boolean> {
  return (await tx.owner.findUniqueOrThrow({ where: { id }, select: { requiresFactor: true } })).requiresFactor
}
