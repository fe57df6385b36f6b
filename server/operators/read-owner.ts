import { prisma, runRead } from '../db'
import { statement } from '../kit/statement'
import { getOwner } from './find-owner'
import { listRunsOf } from './list-runs'
import { readOwnerLimits } from './owner-limits'
import { spentThisMonthSql } from './spent-this-month'
import type { OwnerDetails } from './views'

const RECENT_RUNS = 10

const SPENT_THIS_MONTH = statement({
  name: 'operators_spent_this_month',
  sql: `SELECT ${spentThisMonthSql('$1')} AS spent`,
  params: ['int'],
  columns: { spent: 'bigint' },
})

/**
 * What an operator sees of an owner: facts and amounts, and its last runs without what they were
 * asked. Throws `not_found`.
 */
export async function readOwner(ownerId: number): Promise<OwnerDetails> {
  await getOwner(ownerId)
  const [owner, sessions, spent, recentRuns, limits] = await Promise.all([
    prisma().owner.findUniqueOrThrow({
      where: { id: ownerId },
      include: { account: true, logins: { select: { provider: true } }, _count: { select: { keys: true } } },
    }),
    prisma().session.count({ where: { ownerId, expiresAt: { gt: new Date() } } }),
    runRead(SPENT_THIS_MONTH, [ownerId]),
    listRunsOf(ownerId, RECENT_RUNS),
    readOwnerLimits(ownerId),
  ])
  const { id, email, name, isAdmin, timeZone, account } = owner
  return {
    ...{ id, email, name, isAdmin, timeZone, sessions, recentRuns, limits },
    suspendedFor: account?.suspendedFor ?? null,
    suspendedAt: account?.suspendedAt?.toISOString() ?? null,
    available: Number(account?.available ?? 0),
    held: Number(account?.held ?? 0),
    spentThisMonth: Number(spent[0]?.spent ?? 0),
    keys: owner._count.keys,
    hasPassword: owner.passwordHash !== null,
    providers: owner.logins.map(({ provider }) => provider),
    createdAt: owner.createdAt.toISOString(),
  }
}
