import { readPrisma } from '../../db'
import { readCursor } from '../../errors'
import { paginate } from '../../kit/cursor'
import { readSchedule } from './read'
import type { SchedulePage, ScheduleRunList } from './shape'
import { viewScheduleRuns } from './view-runs'
import { readWaiting } from './waiting'

/**
 * What became of a schedule's times, newest first. Throws `not_found`, also for another owner's
 * schedule, and `invalid_request` for an invalid cursor.
 */
export async function listScheduleRuns(
  ownerId: number,
  scheduleId: string,
  { limit, cursor }: SchedulePage,
): Promise<ScheduleRunList> {
  const { id } = await readSchedule(ownerId, scheduleId)
  const from = readCursor(cursor, (scheduleId) => scheduleId === id)
  const rows = await readPrisma().scheduleRun.findMany({
    where: { scheduleId: id, ...(from && { dueAt: { lt: from.at } }) },
    orderBy: { dueAt: 'desc' },
    take: limit + 1,
  })
  const page = paginate(rows, limit, ({ dueAt }) => ({ at: dueAt, id }))
  return { runs: await viewScheduleRuns(page.rows, await readWaiting([id])), nextCursor: page.nextCursor }
}
