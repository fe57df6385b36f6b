import { z } from 'zod'
import { RunMode, StartRequest } from '../shape'

/** What each run of a schedule is started with. */
export const ScheduledStart = StartRequest.omit({
  idempotencyKey: true,
  wait: true,
  conversationId: true,
  historyTurnLimit: true,
  attachments: true,
})
export type ScheduledStart = z.infer<typeof ScheduledStart>

/** When a schedule is due. */
export const Timing = z.strictObject({
  cron: z.string().min(1).max(100).describe('Five fields: minute, hour, day of the month, month, day of the week'),
  timeZone: z.string().min(1).max(64).default('UTC').describe('The IANA time zone of `cron`, such as Europe/Berlin'),
})
export type Timing = z.infer<typeof Timing>

const ScheduleName = z
  .string()
  .trim()
  .min(1, 'Give the schedule a name')
  .max(80)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Leave out control characters')

export const NewSchedule = ScheduledStart.extend({
  ...Timing.shape,
  name: ScheduleName.optional().describe('Omitted: the first line of the goal'),
})
export type NewSchedule = z.infer<typeof NewSchedule>

const { goal, model, capabilities, callbackUrl, outputSchema, maxCredits, metadata } = ScheduledStart.shape

/** What changes of a schedule; what is omitted stays. */
export const ScheduleChange = z.strictObject({
  name: ScheduleName.optional(),
  cron: Timing.shape.cron.optional(),
  timeZone: z.string().min(1).max(64).optional(),
  goal: goal.optional(),
  mode: RunMode.optional(),
  model: model.nullable().describe("null: the owner's default"),
  capabilities: capabilities.nullable().describe("null: the key's groups"),
  callbackUrl: callbackUrl.nullable().describe('null: none'),
  outputSchema: outputSchema.nullable().describe('null: none'),
  maxCredits: maxCredits.nullable().describe('null: as much as the conversation may spend'),
  metadata: metadata.nullable().describe('null: none'),
})
export type ScheduleChange = z.infer<typeof ScheduleChange>

/** The schedule of an operation. */
export const ScheduleId = z.object({ scheduleId: z.string().describe('The schedule') })

export const ScheduleRunState = z.enum([
  'starting',
  'running',
  'completed',
  'failed',
  'cancelled',
  'refused',
  'skipped',
])
export type ScheduleRunState = z.infer<typeof ScheduleRunState>

/** One time that a schedule was due, and what became of it. */
export const ScheduleRunView = z.object({
  dueAt: z.iso.datetime(),
  manual: z.boolean().describe('Started with "run now"'),
  state: ScheduleRunState.describe(
    'running: also while the job needs input. refused: no run could start. skipped: an earlier run was in progress',
  ),
  jobId: z.string().nullable(),
  creditsSpent: z.int().nullable().describe('By the job so far; null where none started'),
  reason: z.string().nullable().describe('Why it failed, was refused or was skipped'),
})
export type ScheduleRunView = z.infer<typeof ScheduleRunView>

export const PausedBy = z.enum(['owner', 'failures', 'key'])
export type PausedBy = z.infer<typeof PausedBy>

export const ScheduleView = z.object({
  scheduleId: z.string(),
  name: z.string(),
  ...Timing.shape,
  timeZone: z.string(),
  ...ScheduledStart.shape,
  mode: RunMode,
  model: z.string().nullable().describe("null: the owner's default"),
  capabilities: z.array(z.string()).nullable().describe("null: the key's groups"),
  keyId: z.int().describe('The key its runs start under'),
  keyName: z.string(),
  status: z.enum(['active', 'paused']),
  paused: z
    .object({ by: PausedBy, reason: z.string().nullable() })
    .nullable()
    .describe('by failures: three runs in a row failed. by key: the key was revoked or has expired'),
  failures: z.int().describe('Failed runs in a row'),
  nextRuns: z.array(z.iso.datetime()).describe('The next five times; none while it is paused'),
  lastRun: ScheduleRunView.nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type ScheduleView = z.infer<typeof ScheduleView>

export const SchedulePage = z.object({
  limit: z.int().min(1).max(100).default(20).describe('Rows per page'),
  cursor: z.string().max(200).optional().describe("The previous response's nextCursor"),
})
export type SchedulePage = z.infer<typeof SchedulePage>

export const ScheduleList = z.object({ schedules: z.array(ScheduleView), nextCursor: z.string().nullable() })
export type ScheduleList = z.infer<typeof ScheduleList>

export const ScheduleRunList = z.object({ runs: z.array(ScheduleRunView), nextCursor: z.string().nullable() })
export type ScheduleRunList = z.infer<typeof ScheduleRunList>
