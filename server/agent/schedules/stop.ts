import { prisma } from '../../db'
import { checkScheduleGrants, type ScheduleCaller } from './key'
import { getSchedule, readSchedule, scheduleNotFound } from './read'
import type { ScheduleView } from './shape'

/**
 * Pauses a schedule; a run in progress goes on. One that is paused stays as it is. Throws
 * `not_found`, and `forbidden` for a key whose grants do not cover the schedule's.
 */
export async function pauseSchedule(caller: ScheduleCaller, scheduleId: string): Promise<ScheduleView> {
  const { id, ownerId } = await readAllowed(caller, scheduleId)
  await prisma().schedule.updateMany({
    where: { id, ownerId, pausedBy: null },
    data: { pausedBy: 'owner', pausedReason: null, nextAt: null, updatedAt: new Date() },
  })
  return getSchedule(ownerId, id)
}

/**
 * Deletes a schedule with the record of its runs; its jobs stay. Throws as `pauseSchedule` does.
 */
export async function deleteSchedule(caller: ScheduleCaller, scheduleId: string): Promise<{ scheduleId: string }> {
  const { id, ownerId } = await readAllowed(caller, scheduleId)
  const { count } = await prisma().schedule.deleteMany({ where: { id, ownerId } })
  if (count === 0) throw scheduleNotFound()
  return { scheduleId: id }
}

async function readAllowed(caller: ScheduleCaller, scheduleId: string) {
  const row = await readSchedule(caller.ownerId, scheduleId)
  await checkScheduleGrants(caller, row)
  return row
}
