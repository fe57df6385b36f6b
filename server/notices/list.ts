import { prisma, readPrisma } from '../db'
import { readCursor } from '../errors'
import { paginate } from '../kit/cursor'
import { isUuid } from '../kit/id'
import { type AccountNotice, NoticeKind, type NoticeList } from './shape'
import { sayNotice } from './texts'

/** Somebody who reads notices of an account, and the kinds that are for them. */
export type Reader = { ownerId: number; personId: number; kinds: readonly NoticeKind[] }

/** More unread ones are not counted. */
const MAX_COUNTED = 100

const readUntil = async ({ ownerId, personId }: Reader): Promise<Date | null> =>
  (await prisma().noticeReader.findUnique({ where: { ownerId_personId: { ownerId, personId } } }))?.readUntil ?? null

/** How many notices a person has not read, up to 100. */
export async function countUnreadNotices(reader: Reader): Promise<number> {
  const until = await readUntil(reader)
  const { ownerId, kinds } = reader
  const where = { ownerId, kind: { in: [...kinds] }, ...(until && { createdAt: { gt: until } }) }
  const rows = await readPrisma().notice.findMany({ where, select: { id: true }, take: MAX_COUNTED })
  return rows.length
}

/** An account's notices, newest first. Throws `invalid_request` for an invalid cursor. */
export async function listNotices(
  reader: Reader,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<NoticeList> {
  const after = readCursor(cursor, isUuid)
  const { ownerId, kinds } = reader
  const [until, found] = await Promise.all([
    readUntil(reader),
    readPrisma().notice.findMany({
      where: {
        ...{ ownerId, kind: { in: [...kinds] } },
        ...(after && { OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }] }),
      },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit + 1,
    }),
  ])
  const page = paginate(found, limit, ({ id, createdAt: at }) => ({ id, at }))
  const rows = page.rows.map(({ id, kind, data, createdAt }): AccountNotice => {
    const known = NoticeKind.parse(kind)
    const isUnread = until === null || createdAt > until
    return { id, kind: known, ...sayNotice({ kind: known, data }), createdAt: createdAt.toISOString(), isUnread }
  })
  return { rows, nextCursor: page.nextCursor }
}

/** Notes that a person has read an account's notices up to a time; never back to an earlier one. */
export async function markNoticesRead({ ownerId, personId }: Reader, until: Date): Promise<void> {
  const readUntil = new Date(Math.min(until.getTime(), Date.now()))
  await prisma().noticeReader.upsert({
    where: { ownerId_personId: { ownerId, personId } },
    create: { ownerId, personId, readUntil },
    update: {},
  })
  await prisma().noticeReader.updateMany({
    where: { ownerId, personId, OR: [{ readUntil: null }, { readUntil: { lt: readUntil } }] },
    data: { readUntil },
  })
}
