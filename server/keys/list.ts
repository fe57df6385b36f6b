import { Prisma } from '../../prisma/generated/client'
import { prisma, type Transaction } from '../db'
import { readCursor } from '../errors'
import { paginate } from '../kit/cursor'
import { keyNotFound } from './create'
import { readLastUse } from './last-use'
import { KeyId, type KeyList, type KeyPage, type KeyView } from './shape'
import { keyRelations, viewKey } from './view'

/** Which keys a list has: by default all. */
type KeyKind = { tags?: string[]; customer?: string; isManagement?: false }

/** An owner's keys, newest first, revoked ones included. */
export async function listKeys(
  ownerId: number,
  { limit, cursor }: KeyPage,
  { tags = [], customer, isManagement }: KeyKind = {},
): Promise<KeyList> {
  const after = readCursor(cursor, (id) => KeyId.safeParse({ id: Number(id) }).success)
  const rows = await prisma().key.findMany({
    where: {
      ownerId,
      ...(tags.length > 0 && { tags: { hasEvery: tags } }),
      ...(customer !== undefined && { customer: { name: customer } }),
      ...(isManagement === false && { management: { equals: Prisma.DbNull } }),
      ...(after && { id: { lt: Number(after.id) } }),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
    include: keyRelations,
  })
  const page = paginate(rows, limit, (key) => ({ at: key.createdAt, id: String(key.id) }))
  const uses = await readLastUse(page.rows.map(({ id }) => id))
  return {
    rows: page.rows.map((key) => viewKey(key, { lastUsedAt: uses.get(key.id) })),
    nextCursor: page.nextCursor,
  }
}

/** Most keys of applications in a list. */
const MAX_CLIENT_KEYS = 20

/** The keys that applications got through OAuth and can still use, newest first. */
export async function listClientKeys(ownerId: number): Promise<KeyView[]> {
  const rows = await prisma().key.findMany({
    where: {
      ownerId,
      revokedAt: null,
      client: { isNot: null },
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
    },
    orderBy: { id: 'desc' },
    take: MAX_CLIENT_KEYS,
    include: keyRelations,
  })
  const uses = await readLastUse(rows.map(({ id }) => id))
  return rows.map((key) => viewKey(key, { lastUsedAt: uses.get(key.id) }))
}

/** One key of an owner. Throws `not_found`, also for another owner's. */
export async function getKey(ownerId: number, id: number, tx: Transaction = prisma()): Promise<KeyView> {
  const row = await tx.key.findFirst({ where: { id, ownerId }, include: keyRelations })
  if (!row) throw keyNotFound()
  return viewKey(row, { lastUsedAt: (await readLastUse([id])).get(id) })
}

/** The key that an owner's programs call so, which is not revoked; null: there is none. */
export async function findKeyByExternalId(ownerId: number, externalId: string): Promise<KeyView | null> {
  const row = await prisma().key.findFirst({ where: { ownerId, externalId, revokedAt: null }, include: keyRelations })
  return row && viewKey(row)
}
