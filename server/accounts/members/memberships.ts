import { inTransaction, prisma, type Transaction } from '../../db'
import { AppError, readSortedCursor } from '../../errors'
import { encodeSortedCursor } from '../../kit/cursor'
import { mayAs, ROLE_LEVELS, type Role, type Session } from '../shape'
import { Member, type MemberPage, MemberRole, type Membership } from './shape'

type AccountRow = { accountName: string | null; name: string | null; email: string }

/** What an account is called: by its own name, else by whoever opened it. */
export const accountNameOf = ({ accountName, name, email }: AccountRow): string => accountName ?? name ?? email

/** What a read of a membership brings along. */
export const membershipRelations = {
  account: { select: { accountName: true, name: true, email: true, requiresFactor: true, deletedAt: true } },
} as const

type MemberRow = { accountId: number; role: string; account: AccountRow }

export function viewMembership({ accountId, role: stored, account }: MemberRow): Membership {
  const role = MemberRole.parse(stored)
  return { accountId, role, name: accountNameOf(account), may: ROLE_LEVELS.filter((least) => mayAs(role, least)) }
}

/** Where a new session of a person begins: the account they chose last, their own, the oldest. */
const IN_ORDER = [{ chosenAt: { sort: 'desc', nulls: 'last' } }, { joinedAt: 'asc' }] as const

const rowsOf = (tx: Transaction, personId: number) =>
  tx.member.findMany({
    where: { personId, account: { deletedAt: null } },
    orderBy: [...IN_ORDER],
    include: membershipRelations,
    omit: { views: true },
  })

/** The membership with which a session of a person begins; null: they belong to no account. */
export async function firstMembership(tx: Transaction, personId: number) {
  const rows = await rowsOf(tx, personId)
  const chosen = rows.find(({ chosenAt }) => chosenAt !== null)
  return chosen ?? rows.find(({ accountId }) => accountId === personId) ?? rows[0] ?? null
}

/** The accounts of a person, by name. */
export async function listMemberships(personId: number): Promise<Membership[]> {
  const rows = (await rowsOf(prisma(), personId)).map(viewMembership)
  return rows.sort((a, b) => a.name.localeCompare(b.name) || a.accountId - b.accountId)
}

/** The same error for an account that does not exist and for one of others. */
export const accountNotFound = () => new AppError('not_found', 'There is no such account.')

/** Makes a session look at another account of its person. Throws `not_found`. */
export async function switchAccount({ sessionId, personId }: Session, accountId: number): Promise<void> {
  await inTransaction(async (tx) => {
    const { count } = await tx.member.updateMany({
      where: { accountId, personId, account: { deletedAt: null } },
      data: { chosenAt: new Date() },
    })
    if (count === 0) throw accountNotFound()
    await tx.session.updateMany({ where: { id: sessionId, ownerId: personId }, data: { accountId } })
  })
}

/** What a read of a member brings along. */
export const memberRelations = {
  person: {
    select: {
      email: true,
      name: true,
      authenticatorApp: { select: { confirmedAt: true } },
      _count: { select: { passkeys: true } },
    },
  },
} as const

type StoredMember = {
  personId: number
  role: string
  byGroups: boolean
  joinedAt: Date
  person: {
    email: string
    name: string | null
    authenticatorApp: { confirmedAt: Date | null } | null
    _count: { passkeys: number }
  }
}

/** A member as those of the same account see them. */
export const viewMember = ({ personId, role, byGroups, joinedAt, person }: StoredMember): Member =>
  Member.parse({
    personId,
    role,
    byGroups,
    email: person.email,
    name: person.name,
    hasFactor: person._count.passkeys > 0 || person.authenticatorApp?.confirmedAt != null,
    joinedAt: joinedAt.toISOString(),
  })

/** The same error for a person who does not exist and for one of other accounts. */
export const memberNotFound = () => new AppError('not_found', 'There is no such member.')

/**
 * Who belongs to an account, the first to join first; only those with one of some roles where these
 * are given. It is who gets to know what happens in it.
 */
export async function listMembers(accountId: number, roles?: readonly Role[]): Promise<Member[]> {
  const rows = await prisma().member.findMany({
    where: { accountId, ...(roles && { role: { in: [...roles] } }) },
    orderBy: [{ joinedAt: 'asc' }, { personId: 'asc' }],
    include: memberRelations,
    omit: { views: true },
  })
  return rows.map(viewMember)
}

/** The same a page at a time, by their ids. Throws `invalid_request` for an invalid cursor. */
export async function pageOfMembers(accountId: number, { limit, cursor }: MemberPage) {
  const after = readSortedCursor(cursor, { order: 'member', values: 'number', isId: (id) => /^\d{1,9}$/.test(id) })
  const found = await prisma().member.findMany({
    where: { accountId, personId: { gt: Number(after?.id ?? 0) } },
    orderBy: { personId: 'asc' },
    take: limit + 1,
    include: memberRelations,
    omit: { views: true },
  })
  const rows = found.slice(0, limit).map(viewMember)
  const id = String(rows.at(-1)?.personId)
  return { rows, nextCursor: found.length > limit ? encodeSortedCursor('member', { value: id, id }) : null }
}

/** One member. Throws `not_found`. */
export async function getMember(accountId: number, personId: number): Promise<Member> {
  const where = { accountId_personId: { accountId, personId } }
  const row = await prisma().member.findUnique({ where, include: memberRelations, omit: { views: true } })
  if (!row) throw memberNotFound()
  return viewMember(row)
}
