import { readPrisma } from '../../db'
import { readCursor } from '../../errors'
import { paginate } from '../../kit/cursor'
import { isUuid } from '../../kit/id'
import { scheduleRelations, viewSchedules } from './read'
import type { ScheduleList, SchedulePage } from './shape'

/** An owner's schedules, newest first. Throws `invalid_request` for an invalid cursor. */
export async function listSchedules(ownerId: number, { limit, cursor }: SchedulePage): Promise<ScheduleList> {
  const from = readCursor(cursor, isUuid)
  const rows = await readPrisma().schedule.findMany({
    where: {
      ownerId,
      ...(from && { OR: [{ createdAt: { lt: from.at } }, { createdAt: from.at, id: { lt: from.id } }] }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
    include: scheduleRelations,
  })
  const page = paginate(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }))
  return { schedules: await viewSchedules(page.rows), nextCursor: page.nextCursor }
}
