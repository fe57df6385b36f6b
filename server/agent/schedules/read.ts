import type { Key, Prisma, Schedule } from '../../../prisma/generated/client'
import { prisma } from '../../db'
import { AppError } from '../../errors'
import { isUuid } from '../../kit/id'
import { nextTimes } from './cron'
import { PausedBy, ScheduledStart, type ScheduleRunView, type ScheduleView } from './shape'
import { readLastRuns } from './view-runs'

export const scheduleNotFound = () => new AppError('not_found', 'There is no such schedule.')

/** A request as a row keeps it. It came as JSON, which Prisma cannot know of its schema. */
export const asStoredRequest = (request: ScheduledStart) => request as Prisma.InputJsonObject

/** What every read of a schedule brings along. */
export const scheduleRelations = { key: { select: { name: true } } } as const

export type ScheduleRow = Schedule & { key: Pick<Key, 'name'> }

/** An owner's schedule as it is stored. Throws `not_found`, also for another owner's. */
export async function readSchedule(ownerId: number, scheduleId: string): Promise<ScheduleRow> {
  const row = isUuid(scheduleId)
    ? await prisma().schedule.findFirst({ where: { id: scheduleId, ownerId }, include: scheduleRelations })
    : null
  if (!row) throw scheduleNotFound()
  return row
}

/** A schedule as its owner sees it. */
export function viewSchedule(row: ScheduleRow, lastRun: ScheduleRunView | null): ScheduleView {
  const { cron, timeZone, nextAt, pausedBy } = row
  const { model = null, capabilities = null, ...start } = ScheduledStart.parse(row.request)
  // The stored time is the first: it may be past already, while no worker runs.
  const nextRuns = nextAt ? [nextAt, ...nextTimes({ cron, timeZone }, nextAt)].slice(0, -1) : []
  return {
    scheduleId: row.id,
    name: row.name,
    cron,
    timeZone,
    ...start,
    model,
    capabilities,
    keyId: row.keyId,
    keyName: row.key.name,
    status: pausedBy === null ? 'active' : 'paused',
    paused: pausedBy === null ? null : { by: PausedBy.parse(pausedBy), reason: row.pausedReason },
    failures: row.failures,
    nextRuns: nextRuns.map((at) => at.toISOString()),
    lastRun,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** An owner's schedule. Throws `not_found`, also for another owner's. */
export async function getSchedule(ownerId: number, scheduleId: string): Promise<ScheduleView> {
  const row = await readSchedule(ownerId, scheduleId)
  return viewSchedule(row, (await readLastRuns([row.id])).get(row.id) ?? null)
}
