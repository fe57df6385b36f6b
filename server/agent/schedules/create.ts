import { inAct, prisma } from '../../db'
import { AppError } from '../../errors'
import { uuidv7 } from '../../kit/id'
import { checkAttachments, storeAttachments } from '../jobs/attachments'
import { jobTitle, type RunStarter } from '../jobs/write-turn'
import { checkTiming } from './cron'
import { checkScheduledStart } from './key'
import { asStoredRequest, NEVER_RUN, scheduleRelations, viewSchedule } from './read'
import type { NewSchedule, ScheduleView } from './shape'

/** Schedules that one owner may have. */
const MAX_SCHEDULES = 100

/**
 * Makes a schedule whose runs start under the starter's key. Throws `invalid_request`,
 * `unknown_model` and `forbidden` as the start of such a run does, and `conflict` for a key that no
 * longer works and when the owner has as many schedules as an account may have.
 */
export async function createSchedule(starter: RunStarter, schedule: NewSchedule): Promise<ScheduleView> {
  const { cron, timeZone, name, whenWaiting, answerNoAfterHours, attachments, ...request } = schedule
  const { timing, nextAt } = checkTiming({ cron, timeZone })
  await checkScheduledStart(starter, request)
  const { ownerId, keyId } = starter
  if ((await prisma().schedule.count({ where: { ownerId } })) >= MAX_SCHEDULES)
    throw new AppError('conflict', `An account may have ${MAX_SCHEDULES} schedules: delete one first.`)
  const stored = await storeAttachments(ownerId, await checkAttachments(ownerId, attachments))
  return inAct(async (tx) => {
    const row = await tx.schedule.create({
      data: {
        id: uuidv7(),
        ownerId,
        keyId,
        name: name ?? jobTitle(request.goal),
        ...timing,
        request: asStoredRequest(request),
        whenWaiting,
        answerNoHours: answerNoAfterHours,
        ...(stored.length > 0 && { attachments: stored }),
        nextAt,
      },
      include: scheduleRelations,
    })
    return viewSchedule(row, NEVER_RUN)
  })
}
