import { z } from 'zod'
import { Notes } from '../../accounts/shape'
import { CheckTotals } from '../checks/shape'
import { AttachedFile, AwaitingInput, Permission, RunMode, StartRequest } from '../shape'

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

/** What becomes of a schedule's times while a run of it waits for a person. */
export const WhenWaiting = z.enum(['skip', 'queue', 'answer_no'])
const whenWaiting = WhenWaiting.describe(
  'While a run waits for an answer: skip the times that come; queue them, at most ten; or skip them and answer no after ' +
    '`answerNoAfterHours`, so that the run goes on without',
)
const answerNoAfterHours = z.int().min(1).max(720).describe('With answer_no: hours that a run waits for an answer')

/** Hours that a waiting run has where its schedule names none. */
export const DEFAULT_HOURS = 24

/** What a schedule does where nobody answers. Omitted: skip, and 24 hours. */
const ScheduleConduct = {
  whenWaiting: whenWaiting.optional(),
  answerNoAfterHours: answerNoAfterHours.optional(),
}

export const NewSchedule = ScheduledStart.extend({
  ...Timing.shape,
  ...ScheduleConduct,
  attachments: StartRequest.shape.attachments,
  name: ScheduleName.optional().describe('Omitted: the first line of the goal'),
})
export type NewSchedule = z.infer<typeof NewSchedule>

const { goal, model, capabilities, callbackUrl, outputSchema, checks, maxCredits, metadata, permissions, memory } =
  ScheduledStart.shape

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
  checks: checks.nullable().describe('null: none'),
  maxCredits: maxCredits.nullable().describe('null: as much as the conversation may spend'),
  metadata: metadata.nullable().describe('null: none'),
  permissions: permissions.nullable().describe('null: none'),
  memory: memory.nullable().describe('false: its runs neither read nor write notes; null: they do'),
  notes: Notes.optional().describe('Instead of what its runs have kept for the next one; empty: nothing'),
  ...ScheduleConduct,
  attachments: StartRequest.shape.attachments.nullable().describe('Instead of those before; null: none'),
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

/** A state as it is shown: with a word for what waits for an answer or for its turn. */
const ShownRunState = z.enum([...ScheduleRunState.options, 'waiting', 'queued'])
export type ShownRunState = z.infer<typeof ShownRunState>

/** One time that a schedule was due, and what became of it. */
export const ScheduleRunView = z.object({
  dueAt: z.iso.datetime(),
  manual: z.boolean().describe('Started with "run now"'),
  state: ShownRunState.describe(
    'waiting: its job needs an answer. queued: it starts when the run before has ended. refused: no run could start. ' +
      'skipped: an earlier run was in progress, or waited',
  ),
  jobId: z.string().nullable(),
  creditsSpent: z.int().nullable().describe('By the job so far; null where none started'),
  checks: CheckTotals.optional().describe('Of a run with checks: how many came to what'),
  reason: z.string().nullable().describe('Why it failed, was refused or was skipped'),
})
export type ScheduleRunView = z.infer<typeof ScheduleRunView>

export const PausedBy = z.enum(['owner', 'failures', 'key'])
export type PausedBy = z.infer<typeof PausedBy>

/** A run of a schedule that waits for a person. */
export const ScheduleWaiting = z.object({
  jobId: z.string(),
  kind: AwaitingInput.shape.kind,
  summary: z.string().describe('What is asked'),
  since: z.iso.datetime(),
  answersNoAt: z.iso.datetime().nullable().describe('When it is answered no; null: never'),
})
export type ScheduleWaiting = z.infer<typeof ScheduleWaiting>

export const ScheduleView = z.object({
  scheduleId: z.string(),
  name: z.string(),
  ...Timing.shape,
  timeZone: z.string(),
  ...ScheduledStart.shape,
  mode: RunMode,
  model: z.string().nullable().describe("null: the owner's default"),
  capabilities: z.array(z.string()).nullable().describe("null: the key's groups"),
  attachments: z.array(AttachedFile).describe('What each of its runs is given with the goal'),
  keyId: z.int().describe('The key its runs start under'),
  keyName: z.string(),
  status: z.enum(['active', 'paused']),
  paused: z
    .object({ by: PausedBy, reason: z.string().nullable() })
    .nullable()
    .describe('by failures: three runs in a row failed. by key: the key was revoked or has expired'),
  notes: z.string().describe('What its runs keep for the next one; empty: nothing'),
  failures: z.int().describe('Failed runs in a row'),
  nextRuns: z.array(z.iso.datetime()).describe('The next five times; none while it is paused'),
  lastRun: ScheduleRunView.nullable(),
  waiting: ScheduleWaiting.nullable().describe('The run that waits for your answer; null: none does'),
  whenWaiting: WhenWaiting,
  answerNoAfterHours: z.int(),
  proposedPermissions: z
    .array(Permission)
    .describe('What its runs asked for and were allowed, or got no answer to, and `permissions` lacks'),
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
