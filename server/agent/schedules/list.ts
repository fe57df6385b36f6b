import { readPrisma } from '../../db'
import { readCursor } from '../../errors'
import { paginate } from '../../kit/cursor'
import { isUuid } from '../../kit/id'
import { scheduleRelations, viewSchedule } from './read'
import type { ScheduleList, SchedulePage } from './shape'
import { readLastRuns } from './view-runs'

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
  const last = await readLastRuns(page.rows.map(({ id }) => id))
  return {
    schedules: page.rows.map((row) => viewSchedule(row, last.get(row.id) ?? null)),
    nextCursor: page.nextCursor,
  }
}
