import { inTransaction, prisma, type Transaction } from '../../db'
import { AppError } from '../../errors'
import { mayAs, ROLE_LEVELS, type Role, type Session } from '../shape'
import { Member, MemberRole, type Membership } from './shape'

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

/**
 * Who belongs to an account, the first to join first; only those with one of some roles where these
 * are given. It is who gets to know what happens in it.
 */
export async function listMembers(accountId: number, roles?: readonly Role[]): Promise<Member[]> {
  const rows = await prisma().member.findMany({
    where: { accountId, ...(roles && { role: { in: [...roles] } }) },
    orderBy: [{ joinedAt: 'asc' }, { personId: 'asc' }],
    include: {
      person: {
        select: {
          email: true,
          name: true,
          authenticatorApp: { select: { confirmedAt: true } },
          _count: { select: { passkeys: true } },
        },
      },
    },
  })
  return rows.map(({ personId, role, byGroups, joinedAt, person }) =>
    Member.parse({
      personId,
      role,
      byGroups,
      email: person.email,
      name: person.name,
      hasFactor: person._count.passkeys > 0 || person.authenticatorApp?.confirmedAt != null,
      joinedAt: joinedAt.toISOString(),
    }),
  )
}
