import { z } from 'zod'
import { changeSchedule, resumeSchedule } from '../../agent/schedules/change'
import { createSchedule } from '../../agent/schedules/create'
import { previewTimes } from '../../agent/schedules/cron'
import { listSchedules } from '../../agent/schedules/list'
import { listScheduleRuns } from '../../agent/schedules/list-runs'
import { getSchedule } from '../../agent/schedules/read'
import { runScheduleNow } from '../../agent/schedules/run-now'
import {
  NewSchedule,
  ScheduleChange,
  ScheduleId,
  ScheduleList,
  SchedulePage,
  ScheduleRunList,
  ScheduleView,
  Timing,
} from '../../agent/schedules/shape'
import { starterOf, starterOfSchedule } from '../../agent/schedules/starter'
import { deleteSchedule, pauseSchedule } from '../../agent/schedules/stop'
import { StartedJob } from '../../agent/shape'
import { NOT_AUDITED } from '../operation-meta'
import { memberProcedure, router } from '../trpc'

const keyId = z.int32().positive()

/** The owner may stop the schedules of every key: no grants are checked. */
const asOwner = (ownerId: number) => ({ ownerId, keyId: null, grants: null })

/** Schedules at the dashboard, where the owner chooses the key that runs start under. */
export const ownerSchedulesRouter = router({
  list: memberProcedure('viewer')
    .input(SchedulePage)
    .output(ScheduleList)
    .query(({ ctx, input }) => listSchedules(ctx.owner, input)),

  get: memberProcedure('viewer')
    .input(ScheduleId)
    .output(ScheduleView)
    .query(({ ctx, input }) => getSchedule(ctx.owner, input.scheduleId)),

  runs: memberProcedure('viewer')
    .input(SchedulePage.extend(ScheduleId.shape))
    .output(ScheduleRunList)
    .query(({ ctx, input: { scheduleId, ...page } }) => listScheduleRuns(ctx.owner, scheduleId, page)),

  /** The next times of what a form has. */
  preview: memberProcedure('developer')
    .input(Timing)
    .output(z.object({ nextRuns: z.array(z.string()) }))
    .query(({ input }) => previewTimes(input)),

  create: memberProcedure('developer')
    .meta(NOT_AUDITED)
    .input(NewSchedule.extend({ keyId }))
    .output(ScheduleView)
    .mutation(async ({ ctx, input: { keyId: key, ...schedule } }) =>
      createSchedule(await starterOf(ctx.owner, key), schedule),
    ),

  change: memberProcedure('developer')
    .meta(NOT_AUDITED)
    .input(ScheduleChange.extend({ ...ScheduleId.shape, keyId }))
    .output(ScheduleView)
    .mutation(async ({ ctx, input: { scheduleId, keyId: key, ...change } }) =>
      changeSchedule(await starterOf(ctx.owner, key), scheduleId, change),
    ),

  pause: memberProcedure('developer')
    .meta(NOT_AUDITED)
    .input(ScheduleId)
    .output(ScheduleView)
    .mutation(({ ctx, input }) => pauseSchedule(asOwner(ctx.owner), input.scheduleId)),

  resume: memberProcedure('developer')
    .meta(NOT_AUDITED)
    .input(ScheduleId)
    .output(ScheduleView)
    .mutation(async ({ ctx, input: { scheduleId } }) =>
      resumeSchedule(await starterOfSchedule(ctx.owner, scheduleId), scheduleId),
    ),

  run: memberProcedure('developer')
    .meta(NOT_AUDITED)
    .input(ScheduleId)
    .output(StartedJob)
    .mutation(async ({ ctx, input: { scheduleId } }) =>
      runScheduleNow(await starterOfSchedule(ctx.owner, scheduleId), scheduleId),
    ),

  remove: memberProcedure('developer')
    .meta(NOT_AUDITED)
    .input(ScheduleId)
    .output(ScheduleId)
    .mutation(({ ctx, input }) => deleteSchedule(asOwner(ctx.owner), input.scheduleId)),
})
