import { z } from 'zod'
import { changeSchedule, resumeSchedule } from '../../agent/schedules/change'
import { createSchedule } from '../../agent/schedules/create'
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
} from '../../agent/schedules/shape'
import { deleteSchedule, pauseSchedule } from '../../agent/schedules/stop'
import { StartedJob } from '../../agent/shape'
import { doOnce } from '../once'
import type { OperationEntry } from '../operation-meta'
import { accountKeyProcedure, hasScope, router } from '../trpc'
import { START_MAX_BODY } from './agent'

type Described = Pick<OperationEntry, 'operationId' | 'summary' | 'description'>

const meta = (method: OperationEntry['method'], path: '' | `/${string}`, described: Described) => ({
  openapi: { method, path: `/agent/schedules${path}` as const, ...described, tags: ['Agent runs'], protect: true },
})

const ONE = '/{scheduleId}'
const OF_A_SCHEDULE = { traits: ['granted', 'named'] } as const
const CHANGES_A_SCHEDULE = { traits: ['granted', 'named', 'conflicts'] } as const
const JustId = z.strictObject(ScheduleId.shape)

/** Schedules of agent runs. Which key a schedule's runs start under: the last that set it up. */
export const schedulesRouter = router({
  create: accountKeyProcedure
    .meta({
      ...meta('POST', '', {
        operationId: 'createAgentSchedule',
        summary: 'Make a schedule of agent runs',
        description: 'Its runs start under the key that makes it, with that key’s limits. Making it charges nothing.',
      }),
      rest: { success: 201, traits: ['granted', 'conflicts', 'repeatable'], maxBody: START_MAX_BODY },
    })
    .input(NewSchedule)
    .output(ScheduleView)
    .mutation(({ ctx, input }) =>
      doOnce({ ctx, input }, 'schedule.create', {
        run: () => createSchedule(ctx.caller, input),
        answer: (schedule) => schedule,
      }),
    ),

  list: accountKeyProcedure
    .meta({
      ...meta('GET', '', { operationId: 'listAgentSchedules', summary: "List the owner's schedules, newest first" }),
      rest: { traits: ['granted'], schema: 'AgentScheduleList' },
    })
    .input(SchedulePage)
    .use(hasScope('agent'))
    .output(ScheduleList)
    .query(({ ctx, input }) => listSchedules(ctx.caller.ownerId, input)),

  get: accountKeyProcedure
    .meta({
      ...meta('GET', ONE, { operationId: 'getAgentSchedule', summary: 'One schedule with its next times' }),
      rest: OF_A_SCHEDULE,
    })
    .input(ScheduleId)
    .use(hasScope('agent'))
    .output(ScheduleView)
    .query(({ ctx, input }) => getSchedule(ctx.caller.ownerId, input.scheduleId)),

  runs: accountKeyProcedure
    .meta({
      ...meta('GET', `${ONE}/runs`, {
        operationId: 'listAgentScheduleRuns',
        summary: "List a schedule's runs with their jobs, newest first",
      }),
      rest: { ...OF_A_SCHEDULE, schema: 'AgentScheduleRunList' },
    })
    .input(SchedulePage.extend(ScheduleId.shape))
    .use(hasScope('agent'))
    .output(ScheduleRunList)
    .query(({ ctx, input: { scheduleId, ...page } }) => listScheduleRuns(ctx.caller.ownerId, scheduleId, page)),

  change: accountKeyProcedure
    .meta({
      ...meta('PATCH', ONE, {
        operationId: 'changeAgentSchedule',
        summary: 'Change a schedule',
        description: 'What is omitted stays. Its runs start under the key that changes it from then on.',
      }),
      rest: { ...CHANGES_A_SCHEDULE, maxBody: START_MAX_BODY },
    })
    .input(ScheduleChange.extend(ScheduleId.shape))
    .use(hasScope('agent'))
    .output(ScheduleView)
    .mutation(({ ctx, input: { scheduleId, ...change } }) => changeSchedule(ctx.caller, scheduleId, change)),

  pause: accountKeyProcedure
    .meta({
      ...meta('POST', `${ONE}/pause`, {
        operationId: 'pauseAgentSchedule',
        summary: 'Pause a schedule; a run in progress goes on',
      }),
      rest: OF_A_SCHEDULE,
    })
    .input(JustId)
    .use(hasScope('agent'))
    .output(ScheduleView)
    .mutation(({ ctx, input }) => pauseSchedule(ctx.caller, input.scheduleId)),

  resume: accountKeyProcedure
    .meta({
      ...meta('POST', `${ONE}/resume`, {
        operationId: 'resumeAgentSchedule',
        summary: 'Resume a schedule from its next time on',
        description: 'Its runs start under the key that resumes it. Failures count from 0 again.',
      }),
      rest: CHANGES_A_SCHEDULE,
    })
    .input(JustId)
    .use(hasScope('agent'))
    .output(ScheduleView)
    .mutation(({ ctx, input }) => resumeSchedule(ctx.caller, input.scheduleId)),

  run: accountKeyProcedure
    .meta({
      ...meta('POST', `${ONE}/run`, {
        operationId: 'runAgentSchedule',
        summary: 'Start a run of a schedule now, under the calling key',
        description: 'Also while it is paused. Its times stay as they are.',
      }),
      rest: { success: 202, traits: ['paid', 'granted', 'named', 'conflicts'] },
    })
    .input(JustId)
    .use(hasScope('agent'))
    .output(StartedJob)
    .mutation(({ ctx, input }) => runScheduleNow(ctx.caller, input.scheduleId)),

  remove: accountKeyProcedure
    .meta({
      ...meta('DELETE', ONE, {
        operationId: 'deleteAgentSchedule',
        summary: 'Delete a schedule; its jobs stay',
      }),
      rest: { traits: ['granted', 'named'] },
    })
    .input(JustId)
    .use(hasScope('agent'))
    .output(ScheduleId)
    .mutation(({ ctx, input }) => deleteSchedule(ctx.caller, input.scheduleId)),
})
