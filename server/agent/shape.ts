import { z } from 'zod'
import { LimitSource } from '../credits/shape'
import { Effect } from '../tools/shape'
import { Checks, CheckTotals, RunCheck } from './checks/shape'

export const JobStatus = z.enum(['running', 'awaiting_input', 'completed', 'failed', 'cancelled'])
export type JobStatus = z.infer<typeof JobStatus>

export const RunMode = z.enum(['autonomous', 'interactive'])
export type RunMode = z.infer<typeof RunMode>

/** How a turn was started: with its key, at the dashboard, or by a schedule. */
export const RunOrigin = z.enum(['api', 'dashboard', 'schedule'])
export type RunOrigin = z.infer<typeof RunOrigin>

/** What a run may do without asking, by kind. */
const PermissionKind = z.enum(['hosts', 'sites', 'datasets', 'exports'])

const permittedNames = (about: string) => z.array(z.string().trim().min(1).max(253)).max(50).optional().describe(about)

/**
 * What a run may do without asking a person, whatever it has read. What looks like a secret is
 * asked about all the same.
 */
export const Permissions = z.strictObject({
  hosts: permittedNames('Hosts whose pages it may open and give texts to, such as api.example.com'),
  sites: permittedNames('Sites that it may publish and replace, by name'),
  datasets: permittedNames('Datasets that it may replace'),
  exports: permittedNames('Datasets that it may make public links to'),
} satisfies Record<z.infer<typeof PermissionKind>, z.ZodType>)
export type Permissions = z.infer<typeof Permissions>

/** One thing that a run may do, or would have to be allowed. */
export const Permission = z.object({ kind: PermissionKind, name: z.string() })
export type Permission = z.infer<typeof Permission>

/** What a person must approve: exactly what would run, and why it needs approval. */
const ApprovalView = z.object({
  summary: z.string(),
  command: z.string().nullable(),
  sql: z.string().nullable(),
  reason: z.string(),
  deploymentId: z.string().nullable(),
  permissions: z.array(Permission).optional().describe('A run with these `permissions` would not have asked'),
  effect: Effect.optional().describe('What would change, where that is known beforehand'),
})

/** What a whole run will cost, the steps of its model included. Credits. */
export const RunPrice = z.object({
  from: z.int(),
  to: z.int(),
  basis: z
    .enum(['history', 'tokens'])
    .describe('history: what eight of ten such runs of the account cost. tokens: too few are known; by token prices'),
  runs: z.int().describe('How many such runs are known'),
})
export type RunPrice = z.infer<typeof RunPrice>

/** A plan as its page shows it. */
export const PlanDetails = z.object({
  summary: z.string(),
  steps: z.array(
    z.object({
      title: z.string(),
      tools: z.array(z.string()).describe('Ids of the tools it calls'),
      credits: z.int().describe("The agent's estimate"),
    }),
  ),
  totalCredits: z.int().describe("The sum of the agent's estimates of its calls"),
  creditsLeft: z.int().describe('Left under the tightest limit when the plan was made'),
  feedback: z.string().optional().describe('Why the plan before was rejected'),
  answers: z.string().optional().describe('How this plan answers that'),
})
export type PlanDetails = z.infer<typeof PlanDetails>

/** What a paused job asks. */
export const AwaitingInput = z.object({
  kind: z.enum(['question', 'plan', 'approval']),
  toolCallId: z.string().describe('Identifies what is asked; an answer may repeat it'),
  question: z.string().optional().describe('Kind question: what the agent wants to know'),
  plan: z.string().optional().describe('Kind plan: Markdown'),
  planDetails: PlanDetails.optional().describe('Kind plan: the same in parts, where the agent gave it so'),
  price: RunPrice.optional().describe('Kind plan: what the whole run will cost, what it has spent included'),
  approval: ApprovalView.optional().describe('Kind approval: what would run'),
})
export type AwaitingInput = z.infer<typeof AwaitingInput>

const requiredText = (maxChars: number) =>
  z
    .string()
    .min(1)
    .max(maxChars)
    .regex(/\S/, 'must not be blank')
    .regex(/^[^\0]*$/, 'must not contain NUL')

/** A caller's own texts by name. */
const RunMetadata = z
  .record(
    z
      .string()
      .min(1)
      .max(64)
      .regex(/^[^\0]*$/, 'must not contain NUL'),
    z
      .string()
      .max(512)
      .regex(/^[^\0]*$/, 'must not contain NUL'),
  )
  .refine((texts) => Object.keys(texts).length <= 16, 'must have at most 16 names')

/** Largest attachment, in bytes, and how many a goal may have. */
export const MAX_ATTACHED_BYTES = 3_750_000
const MAX_ATTACHMENTS = 8

const attachmentName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}[\]]*$/u, 'Leave out control characters and brackets')
  .optional()

/** An image, a PDF or a text that belongs to a goal; or an image that the account has as a file. */
export const Attachment = z
  .strictObject({
    name: attachmentName,
    data: z
      .string()
      .max(Math.ceil(MAX_ATTACHED_BYTES / 3) * 4 + 200)
      .optional()
      .describe('A PNG, JPEG, WebP or GIF image, a PDF with text, or a text in UTF-8, as a data: URI in base64'),
    fileId: z.string().max(64).optional().describe('Instead: the id of an image that the account has as a file'),
  })
  .refine(({ data, fileId }) => (data === undefined) !== (fileId === undefined), 'must have either data or fileId')
export type Attachment = z.infer<typeof Attachment>

/** A file that belongs to a goal, as it was kept. */
export const AttachedFile = z.object({
  name: z.string(),
  url: z.string(),
  contentType: z.string(),
  bytes: z.int(),
})

export const StartRequest = z.strictObject({
  goal: requiredText(100_000).describe('What to accomplish'),
  idempotencyKey: requiredText(255).describe(
    'The same key always returns the same job: a retry never starts a second run',
  ),
  mode: RunMode.default('autonomous').describe('interactive: shows a plan before it acts, and may ask'),
  wait: z.boolean().default(false).describe('Respond only when the run finishes or needs input'),
  conversationId: z.string().optional().describe('An earlier jobId: run another turn of that conversation'),
  model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "A chat model's id; omitted: the owner's default. auto: the cheapest that fits a small goal, where the account allows it",
    ),
  historyTurnLimit: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('Send only the most recent N turns to the model, and nothing of older ones; omitted: all'),
  capabilities: z
    .array(z.string().max(200))
    .min(1)
    .max(50)
    .optional()
    .describe("Capability groups to restrict this run to, among the key's groups"),
  outputSchema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('JSON Schema for the result: its value is `output` then. References within it only; this turn only'),
  checks: Checks.optional().describe(
    'What the result must be like: tested when the run has it, before it is completed. This turn only',
  ),
  callbackUrl: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .describe(
      'An http or https URL that gets a signed POST, as the Standard Webhooks specification describes, when this run ' +
        'has completed or failed, or needs input. Each turn names its own',
    ),
  maxCredits: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .optional()
    .describe('Credits that this run may spend at most, below what the conversation may; omitted: as much as that'),
  permissions: Permissions.optional().describe('What this run may do without asking a person'),
  memory: z.boolean().optional().describe('false: this run neither reads nor writes notes; omitted: true'),
  attachments: z
    .array(Attachment)
    .min(1)
    .max(MAX_ATTACHMENTS)
    .optional()
    .describe('Images, PDFs and texts that belong to the goal. A model that can see gets the images themselves'),
  metadata: RunMetadata.optional().describe(
    'Texts of your own by name, which the job, lists, events and webhooks repeat: at most 16. A follow-up without ' +
      'them keeps those of the turn before',
  ),
})
export type StartRequest = z.infer<typeof StartRequest>

/** A run that takes over a finished one; what is omitted is as it was. */
export const RerunRequest = StartRequest.pick({
  idempotencyKey: true,
  callbackUrl: true,
  permissions: true,
}).extend({
  fromStep: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .optional()
    .describe('The step, by its index, from which on it runs again; omitted: the whole latest turn'),
  goal: StartRequest.shape.goal.optional().describe("Instead of the turn's goal"),
  mode: RunMode.optional(),
  model: StartRequest.shape.model.describe("Instead of the turn's model"),
  checks: Checks.nullable().optional().describe("Instead of the turn's checks; null: none"),
  maxCredits: StartRequest.shape.maxCredits.nullable().describe('null: as much as the conversation may spend'),
})
export type RerunRequest = z.infer<typeof RerunRequest>

/** The limit that stopped a run; `run`: its own, `maxCredits`. */
export type RunLimit = LimitSource | 'run'
export const RunLimit: z.ZodType<RunLimit> = z.enum([...LimitSource.options, 'run'])

const Budget = z.object({
  capCredits: z.int().describe('Credits that the whole conversation may spend'),
  reached: z
    .boolean()
    .describe('The spend limit of this conversation ended it: it takes no further turn until the limit is raised'),
  maxCredits: z.int().nullable().describe('Credits that the latest run may spend; null: as many as the conversation'),
  stoppedBy: RunLimit.nullable().describe(
    'The limit that stopped the latest run, which left too little for its next step; null: none did',
  ),
})

/** What a job was started with for its caller's own purposes, and by which schedule. */
const RunLabels = {
  metadata: z.record(z.string(), z.string()).describe('As it was started with'),
  scheduleId: z.string().nullable().describe('The schedule that started it; null: none'),
}

const RunCustomer = z.string().nullable().describe('The customer that its steps are for; null: none')

/** A new spend limit of a conversation. */
export const RaiseLimitRequest = z.strictObject({
  capCredits: z
    .int()
    .min(1)
    .max(1_000_000_000_000)
    .describe('Credits that the whole conversation may spend from now on'),
})
export type RaiseLimitRequest = z.infer<typeof RaiseLimitRequest>

export const RaisedLimit = z.object({ jobId: z.string(), capCredits: z.int() })
export type RaisedLimit = z.infer<typeof RaisedLimit>

/** What the runs of a conversation have used. */
const JobUsage = z.object({
  steps: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cachedTokens: z.int().describe('Input tokens that a model read from its cache, at a lower price'),
})

/** Something that a run made, and that people can use. */
export const JobArtifact = z.object({
  kind: z.enum(['file', 'image', 'video', 'dataset', 'site']),
  name: z.string(),
  url: z.string().optional().describe('A dataset: its download as CSV, for a key; `format=xlsx` for a workbook'),
  id: z.string().optional().describe("A hosted file's id, a dataset's name, a site's slug"),
})
export type JobArtifact = z.infer<typeof JobArtifact>

/** A started run. */
export const StartedJob = z.object({
  jobId: z.string(),
  runId: z.string(),
  conversationId: z.string(),
  mode: RunMode,
  model: z.string(),
  runBudgetCredits: z.int(),
  runBudgetScope: z.literal('conversation'),
  capabilities: z.array(z.string()).nullable().describe('null: not restricted'),
  poll: z.string().describe('The path to poll'),
  price: RunPrice.optional().describe('What this run will probably cost'),
})
export type StartedJob = z.infer<typeof StartedJob>

/** The job of an operation. */
export const JobId = z.object({ jobId: z.string().describe('The job') })

/** Whose notes: the account's, for every run, or those of one schedule. */
export const NotesOf = z.enum(['owner', 'schedule'])
export type NotesOf = z.infer<typeof NotesOf>

const RunMemory = z
  .object({
    read: z.array(NotesOf).describe('The notes that it was given'),
    remembered: z.array(z.object({ of: NotesOf, text: z.string() })).describe('What it wrote into them'),
  })
  .describe('Of the latest run')

/** A job with its latest turn. */
export const JobView = z.object({
  jobId: z.string(),
  runId: z.string(),
  conversationId: z.string(),
  status: JobStatus,
  result: z.string().nullable().describe('null until the run has finished'),
  output: z
    .unknown()
    .optional()
    .describe(
      'With outputSchema: the value of the result, which conforms; null until then, or where a limit came first',
    ),
  checks: z.array(RunCheck).optional().describe('Of a run with checks: each, and what came of it'),
  creditsSpent: z
    .int()
    .describe('What the whole conversation has spent so far: a total, not to be added up over polls'),
  budget: Budget,
  awaitingInput: AwaitingInput.optional(),
  artifacts: z.array(JobArtifact).describe('What the conversation has made and is still there: at most the latest 500'),
  usage: JobUsage.describe('Of the whole conversation so far: a total, like creditsSpent'),
  rerunOf: z.string().optional().describe('Of a rerun: the job that its latest run took over'),
  fromStep: z.int().nullable().optional().describe('Of a rerun: the first step that ran again; null: the whole turn'),
  mode: RunMode,
  model: z.string(),
  runBudgetCredits: z.int(),
  runBudgetScope: z.literal('conversation'),
  capabilities: z.array(z.string()).nullable(),
  ...RunLabels,
  customer: RunCustomer,
  memory: RunMemory,
})
export type JobView = z.infer<typeof JobView>

export const JobSummary = z.object({
  jobId: z.string(),
  conversationId: z.string(),
  title: z.string(),
  mode: RunMode,
  model: z.string(),
  status: JobStatus,
  creditsSpent: z.int(),
  output: z.unknown().optional().describe('Of a run with outputSchema: the value of its result; null until then'),
  checks: CheckTotals.optional().describe('Of a run with checks: how many came to what'),
  ...RunLabels,
  customer: RunCustomer,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type JobSummary = z.infer<typeof JobSummary>

export const JobListRequest = z.object({
  limit: z.int().min(1).max(100).default(20).describe('Rows per page'),
  cursor: z.string().max(200).optional().describe("The previous response's nextCursor"),
  status: JobStatus.optional().describe('Only jobs in this state'),
})
export type JobListRequest = z.infer<typeof JobListRequest>

export const JobList = z.object({ jobs: z.array(JobSummary), nextCursor: z.string().nullable() })
export type JobList = z.infer<typeof JobList>

export const AnswerRequest = z.strictObject({
  approved: z.boolean().describe('Approve or reject; ignored for a question'),
  feedback: z
    .string()
    .max(100_000)
    .regex(/^[^\0]*$/, 'must not contain NUL')
    .optional()
    .describe('The answer to a question, what to change in a plan, or why a call is rejected'),
  toolCallId: z.string().max(200).optional().describe('What is answered: must be what the job asks'),
  edit: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Approving a call: parameters that replace its own before it is made; those that are left out stay'),
  without: z
    .array(z.string().min(1).max(300))
    .min(1)
    .max(1_000)
    .optional()
    .describe('Approving the publication of a site: paths of files that are left out'),
  scope: z
    .enum(['call', 'run'])
    .optional()
    .describe(
      'run: approves every later call of the same tool in this run too, but for what looks like a secret. Omitted: call',
    ),
})
export type AnswerRequest = z.infer<typeof AnswerRequest>

export const AnsweredJob = z.object({
  jobId: z.string(),
  runId: z.string(),
  status: JobStatus,
  feedbackIgnored: z.literal(true).optional().describe('Approving a call ignores feedback'),
})
export type AnsweredJob = z.infer<typeof AnsweredJob>

export const StepKind = z.enum(['model', 'tool', 'question', 'plan', 'summary', 'wrap_up'])
export type StepKind = z.infer<typeof StepKind>

/** One step of a run, with its charge. */
export const StepView = z.object({
  index: z.int().describe('Continues across turns'),
  runId: z.string(),
  kind: StepKind,
  name: z.string().describe('Model or tool id'),
  creditsCharged: z.int(),
  requestId: z.string().nullable().describe('Of its receipt, see /usage'),
  input: z.unknown().describe('Input of the step'),
  output: z.unknown().describe('Complete output; null where the step failed'),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
})
export type StepView = z.infer<typeof StepView>

export const StepListRequest = z.object({
  limit: z.int().min(1).max(500).default(100).describe('Rows per page'),
  cursor: z.string().max(200).optional().describe("The previous response's nextCursor"),
})
export type StepListRequest = z.infer<typeof StepListRequest>

/** Steps in order of their index. */
export const StepList = z.object({ steps: z.array(StepView), nextCursor: z.string().nullable() })
export type StepList = z.infer<typeof StepList>
