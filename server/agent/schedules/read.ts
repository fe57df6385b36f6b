import type { Key, Prisma, Schedule } from '../../../prisma/generated/client'
import { prisma } from '../../db'
import { AppError } from '../../errors'
import { isUuid } from '../../kit/id'
import { viewAttachments } from '../jobs/attachments'
import { nextTimes } from './cron'
import { readProposed } from './proposed'
import { DEFAULT_HOURS, PausedBy, ScheduledStart, type ScheduleView, WhenWaiting } from './shape'
import { readLastRuns } from './view-runs'
import { readWaiting } from './waiting'

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

/** What a schedule's runs say of it. */
type OfRuns = Pick<ScheduleView, 'lastRun' | 'waiting' | 'proposedPermissions'>

/** What a schedule that never ran has. */
export const NEVER_RUN: OfRuns = { lastRun: null, waiting: null, proposedPermissions: [] }

/** A schedule as its owner sees it. */
export function viewSchedule(row: ScheduleRow, runs: OfRuns): ScheduleView {
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
    attachments: viewAttachments(row.attachments),
    keyId: row.keyId,
    keyName: row.key.name,
    status: pausedBy === null ? 'active' : 'paused',
    paused: pausedBy === null ? null : { by: PausedBy.parse(pausedBy), reason: row.pausedReason },
    notes: row.notes ?? '',
    failures: row.failures,
    nextRuns: nextRuns.map((at) => at.toISOString()),
    ...runs,
    whenWaiting: WhenWaiting.parse(row.whenWaiting ?? 'skip'),
    answerNoAfterHours: row.answerNoHours ?? DEFAULT_HOURS,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Schedules of one owner as their owner sees them, in their order. */
export async function viewSchedules(rows: readonly ScheduleRow[]): Promise<ScheduleView[]> {
  const waiting = await readWaiting(rows.map(({ id }) => id))
  const [last, proposed] = await Promise.all([
    readLastRuns(
      rows.map(({ id }) => id),
      waiting,
    ),
    readProposed(rows),
  ])
  return rows.map((row) =>
    viewSchedule(row, {
      lastRun: last.get(row.id) ?? null,
      waiting: waiting.get(row.id) ?? null,
      proposedPermissions: proposed.get(row.id) ?? [],
    }),
  )
}

/** An owner's schedule. Throws `not_found`, also for another owner's. */
export async function getSchedule(ownerId: number, scheduleId: string): Promise<ScheduleView> {
  const [view] = await viewSchedules([await readSchedule(ownerId, scheduleId)])
  if (!view) throw scheduleNotFound()
  return view
}
