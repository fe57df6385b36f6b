import { inTransaction, type Transaction } from '../../db'
import { type RequestOrigin, recordAudit } from '../audit'
import { giveRoleIn } from '../members/change'
import { ROLES, type Role } from '../shape'
import type { IssuerVisitor } from './claims'
import { domainOf } from './domains'

/** Somebody who signs in through the issuer, and what it says of them. */
export type Arrival = { person: { id: number; email: string }; visitor: IssuerVisitor; origin?: RequestOrigin }

const isRole = (role: string): role is Role => ROLES.some((known) => known === role)

/** The first of the roles, as they are ordered, that one of the groups has in an account. */
async function roleByGroups(tx: Transaction, accountId: number, groups: string[]): Promise<Role | null> {
  const rows = await tx.groupRole.findMany({ where: { accountId, group: { in: groups } } })
  return ROLES.find((role) => rows.some((row) => row.role === role)) ?? null
}

/** The domain of the visitor's verified address that lets into an account, if there is one. */
const findDomain = ({ email }: IssuerVisitor, tx: Transaction) =>
  email === null ? null : tx.joinDomain.findFirst({ where: { domain: domainOf(email), account: { deletedAt: null } } })

type Domain = NonNullable<Awaited<ReturnType<typeof findDomain>>>

async function join(tx: Transaction, { accountId, domain, role: usual }: Domain, arrival: Arrival): Promise<void> {
  const { person, visitor, origin } = arrival
  const of = { accountId, personId: person.id }
  if ((await tx.formerMember.count({ where: of })) > 0) return
  const role = (await roleByGroups(tx, accountId, visitor.groups)) ?? usual
  const { count } = await tx.member.createMany({ data: { ...of, role, byGroups: true }, skipDuplicates: true })
  if (count === 0) return
  await recordAudit(tx, {
    ownerId: accountId,
    action: 'member_joined',
    actor: { kind: 'owner', email: person.email },
    subject: person.email,
    detail: { role, domain },
    origin,
  })
}

/** What a member by groups gets where no group of theirs has a role; null: what they have. */
async function roleWithoutGroup(tx: Transaction, accountId: number, domain: Domain | null): Promise<Role | null> {
  if (domain?.accountId === accountId && isRole(domain.role)) return domain.role
  return (await tx.groupRole.count({ where: { accountId } })) > 0 ? 'viewer' : null
}

async function followGroups(tx: Transaction, domain: Domain | null, { person, visitor }: Arrival): Promise<void> {
  const followed = await tx.member.findMany({
    where: { personId: person.id, byGroups: true, account: { deletedAt: null } },
    orderBy: { accountId: 'asc' },
  })
  for (const { accountId, role: before } of followed) {
    const role =
      (await roleByGroups(tx, accountId, visitor.groups)) ?? (await roleWithoutGroup(tx, accountId, domain)) ?? before
    if (role === before || !isRole(role)) continue
    const given = await giveRoleIn(tx, { accountId, personId: person.id }, { role, byGroups: true })
    if (!given) continue
    const actor = { kind: 'system', email: null } as const
    const detail = { role, from: before, byGroups: true }
    await recordAudit(tx, { ownerId: accountId, action: 'member_role_changed', actor, subject: person.email, detail })
  }
}

/**
 * Does what follows from a sign-in through the issuer, in its transaction: the person joins the
 * account that has the domain of their verified address, and roles follow the groups. The last
 * owner of an account stays one.
 */
export async function followIssuerIn(tx: Transaction, arrival: Arrival): Promise<void> {
  const { visitor } = arrival
  const { subject, email } = visitor
  await tx.login.update({ where: { provider_subject: { provider: 'oidc', subject } }, data: { email } })
  const domain = await findDomain(visitor, tx)
  if (domain) await join(tx, domain, arrival)
  await followGroups(tx, domain, arrival)
}

/** The same as one transaction. */
export const followIssuer = (arrival: Arrival): Promise<void> => inTransaction((tx) => followIssuerIn(tx, arrival))

/** Whether an address lets into an account by its domain. */
export const hasDomain = async (tx: Transaction, visitor: IssuerVisitor): Promise<boolean> =>
  (await findDomain(visitor, tx)) !== null
