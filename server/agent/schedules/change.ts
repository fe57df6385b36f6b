import { Prisma } from '../../../prisma/generated/client'
import { prisma } from '../../db'
import { AppError } from '../../errors'
import { checkAttachments, storeAttachments } from '../jobs/attachments'
import type { RunStarter } from '../jobs/write-turn'
import { checkTiming } from './cron'
import { checkScheduledStart } from './key'
import { asStoredRequest, getSchedule, readSchedule, type ScheduleRow } from './read'
import { type ScheduleChange, ScheduledStart, type ScheduleView } from './shape'

/**
 * Changes a schedule. Its runs start under the starter's key from then on, so that nobody spends
 * another key's credits with a goal of theirs. Throws `not_found`, and as `createSchedule` does.
 */
export async function changeSchedule(
  starter: RunStarter,
  scheduleId: string,
  change: ScheduleChange,
): Promise<ScheduleView> {
  const row = await readSchedule(starter.ownerId, scheduleId)
  const {
    name = row.name,
    cron = row.cron,
    timeZone = row.timeZone,
    whenWaiting,
    answerNoAfterHours,
    attachments,
    notes,
    ...fields
  } = change
  const stored = ScheduledStart.parse(row.request)
  const request = ScheduledStart.parse(withoutNulls({ ...stored, ...withoutUndefined(fields) }))
  const { timing, nextAt } = checkTiming({ cron, timeZone })
  await checkScheduledStart(starter, request)
  const kept = attachments && (await storeAttachments(row.ownerId, await checkAttachments(row.ownerId, attachments)))
  const isRetimed = timing.cron !== row.cron || timing.timeZone !== row.timeZone
  await updateUnchanged(row, {
    ...timing,
    name,
    request: asStoredRequest(request),
    ...(attachments !== undefined && { attachments: kept ?? Prisma.DbNull }),
    // What a person has read and kept is no less by strangers; nothing is by nobody.
    ...(notes !== undefined && { notes: notes || null, ...(notes === '' && { notesForeign: false }) }),
    keyId: starter.keyId,
    whenWaiting,
    answerNoHours: answerNoAfterHours,
    ...(isRetimed && row.pausedBy === null && { nextAt }),
  })
  return getSchedule(starter.ownerId, scheduleId)
}

/**
 * Resumes a paused schedule under the starter's key, from the next time on; failures count from 0
 * again. One that is active only gets the key. Throws as `changeSchedule` does.
 */
export async function resumeSchedule(starter: RunStarter, scheduleId: string): Promise<ScheduleView> {
  const row = await readSchedule(starter.ownerId, scheduleId)
  const { nextAt } = checkTiming(row)
  await checkScheduledStart(starter, ScheduledStart.parse(row.request))
  const resumed = { pausedBy: null, pausedReason: null, failures: 0, nextAt }
  await updateUnchanged(row, { keyId: starter.keyId, ...(row.pausedBy !== null && resumed) })
  return getSchedule(starter.ownerId, scheduleId)
}

/** Updates a schedule as it was read. Throws `conflict` when it has changed or is gone since. */
async function updateUnchanged(
  { id, ownerId, updatedAt }: ScheduleRow,
  data: Parameters<ReturnType<typeof prisma>['schedule']['updateMany']>[0]['data'],
): Promise<void> {
  const { count } = await prisma().schedule.updateMany({
    where: { id, ownerId, updatedAt },
    data: { ...data, updatedAt: new Date() },
  })
  if (count === 0) throw new AppError('conflict', 'The schedule was changed at the same time. Try again.')
}

const withoutUndefined = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const withoutNulls = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
