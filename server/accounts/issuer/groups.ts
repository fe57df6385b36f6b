import { inAct } from '../../db'
import { AppError } from '../../errors'
import { requireOverRole } from '../members/change'
import type { Role } from '../shape'
import { requireIssuer } from './domains'
import type { GroupRole } from './shape'

/** Groups of one account. */
const MAX_GROUPS = 200

type By = { accountId: number; by: Role }

/**
 * Gives a group of the issuer a role in an account: members by domain have it from their next
 * sign-in on. Throws `forbidden` where only an owner may, `conflict` for too many, or no issuer.
 */
export async function saveGroup({ accountId, by }: By, { group, role }: GroupRole): Promise<void> {
  requireIssuer()
  await inAct(async (tx) => {
    const where = { accountId_group: { accountId, group } }
    const before = await tx.groupRole.findUnique({ where })
    requireOverRole(by, role, ...(before ? [before.role] : []))
    if (!before && (await tx.groupRole.count({ where: { accountId } })) >= MAX_GROUPS)
      throw new AppError('conflict', `There are ${MAX_GROUPS} groups. Remove one first.`)
    await tx.groupRole.upsert({ where, create: { accountId, group, role }, update: { role } })
  })
}

/** Takes a group's role away. Throws `not_found`, and `forbidden` where only an owner may. */
export async function removeGroup({ accountId, by }: By, group: string): Promise<void> {
  await inAct(async (tx) => {
    const where = { accountId_group: { accountId, group } }
    const before = await tx.groupRole.findUnique({ where })
    if (!before) throw new AppError('not_found', 'There is no such group.')
    requireOverRole(by, before.role)
    await tx.groupRole.delete({ where })
  })
}
