import { z } from 'zod'
import { answerJob } from '../../agent/jobs/answer'
import { cancelJob } from '../../agent/jobs/cancel'
import { type EventPosition, hasNewEvents, type JobEvent, streamJobEvents } from '../../agent/jobs/events'
import { listJobs } from '../../agent/jobs/list'
import { listSteps } from '../../agent/jobs/list-steps'
import { rerunJob } from '../../agent/jobs/rerun'
import { raiseLimit } from '../../agent/jobs/run-limit'
import { startJob } from '../../agent/jobs/start'
import { getJob } from '../../agent/jobs/status'
import { waitForChange, waitForRun } from '../../agent/jobs/watch'
import {
  AnsweredJob,
  AnswerRequest,
  JobId,
  JobList,
  JobListRequest,
  JobStatus,
  JobView,
  RaisedLimit,
  RaiseLimitRequest,
  RerunRequest,
  StartedJob,
  StartRequest,
  StepList,
  StepListRequest,
} from '../../agent/shape'
import { listDeliveries, sendDeliveryAgain } from '../../agent/webhooks/log'
import { DeliveryId, DeliveryList, DeliveryListRequest, DeliveryView } from '../../agent/webhooks/shape'
import { env } from '../../env'
import { customerOf } from '../customer'
import { ofOwnJob } from '../own-customer'
import { accountKeyProcedure, hasScope, keyProcedure, router } from '../trpc'

/** Bytes: a goal with its attachments. */
export const START_MAX_BODY = 20 * 1024 * 1024

/** A run that was waited for, and has finished or needs input. */
const FinishedRun = JobView.extend({ poll: z.string() })

/** A started run, or with `wait` one that was waited for. */
const Started = z.union([FinishedRun, StartedJob])

const meta = (method: 'GET' | 'POST', path: `/${string}`, operationId: string, summary: string) => ({
  openapi: { method, path, operationId, summary, tags: ['Agent runs'], protect: true },
})

const OF_A_JOB = { traits: ['granted', 'named'] } as const
const CHANGES_A_JOB = { traits: ['granted', 'named', 'conflicts'] } as const

/** Events of a job for the handler that streams them; null when there are no more. */
const Events = z
  .custom<AsyncGenerator<JobEvent> | null>(() => true)
  .meta({ description: 'Server-sent events', override: { type: 'string' } })

const EVENTS_TEXT =
  'Events `step` (an AgentStep) and `status` (an AgentJob), as JSON. With `deltas=true` also, without an id: ' +
  '`step.started` {index, runId, kind, name, input?, note?, startedAt}; `step.delta` {index, kind: text | reasoning | ' +
  'tool_call, name?, text}; `tool.progress` {index, elapsedMs, note?}. A `step` ends what was sent about it. A second ' +
  '`step.started` of an index, after a reconnect or because the step began again, starts its texts from the beginning.'

/** The id of an event: a step's index, followed by the run's id for the end of a run. */
const EventId = z
  .string()
  .regex(/^(-1|\d{1,9})(\.[0-9a-f-]{36})?$/, 'must be the id of an event of this job')
  .transform((id): EventPosition => {
    const [after = '-1', endedRun = null] = id.split('.')
    return { after: Number(after), endedRun }
  })

export const agent = router({
  start: keyProcedure
    .meta({
      ...meta('POST', '/agent', 'startAgentRun', 'Start an agent run, or another turn of one'),
      rest: {
        success: 202,
        maxBody: START_MAX_BODY,
        bodies: { 200: FinishedRun, 202: StartedJob },
        content: { 'application/json': '202: the run was started. 200, with `wait`: it has finished or needs input' },
        traits: ['paid', 'granted', 'named', 'conflicts', 'replays'],
      },
    })
    .input(StartRequest)
    .output(Started)
    .mutation(async ({ ctx, input }) => {
      const { ownerId, keyId, grants } = ctx.caller
      const customer = customerOf(ctx, ctx.caller, null)
      if (customer?.refusal) throw customer.refusal
      const { job, replayed } = await startJob({ ownerId, keyId, grants, customerId: await customer?.find() }, input)
      ctx.reply.replayed = replayed
      if (!input.wait) return job
      const isDone = await waitForRun(job, { withinMs: env().AGENT_WAIT_MAX_S * 1_000, gone: ctx.signal })
      if (!isDone) return job
      ctx.reply.status = 200
      return { ...(await getJob(ownerId, job.jobId)), poll: job.poll }
    }),

  rerun: keyProcedure
    .meta({
      ...meta('POST', '/agent/{jobId}/rerun', 'rerunAgentJob', 'Run a finished job again, from a step on'),
      rest: { success: 202, traits: ['paid', 'granted', 'named', 'conflicts', 'replays'] },
    })
    .input(RerunRequest.extend(JobId.shape))
    .use(hasScope('agent'))
    .use(ofOwnJob)
    .output(StartedJob)
    .mutation(async ({ ctx, input: { jobId, ...request } }) => {
      const { ownerId, keyId, grants } = ctx.caller
      const { job, replayed } = await rerunJob({ ownerId, keyId, grants }, jobId, {
        request,
        startedBy: { origin: 'api' },
      })
      ctx.reply.replayed = replayed
      return job
    }),

  list: accountKeyProcedure
    .meta({
      ...meta('GET', '/agent/jobs', 'listAgentJobs', "List the owner's jobs, newest first"),
      rest: { schema: 'AgentJobList', traits: ['granted'] },
    })
    .input(JobListRequest)
    .use(hasScope('agent'))
    .output(JobList)
    .query(({ ctx: { caller }, input }) => listJobs(caller.ownerId, input)),

  get: keyProcedure
    .meta({ ...meta('GET', '/agent/{jobId}', 'getAgentJob', 'Poll a job: always its latest turn'), rest: OF_A_JOB })
    .input(
      JobId.extend({
        wait: z
          .int()
          .min(0)
          .max(30)
          .default(0)
          .describe('Seconds to wait, while the run goes on, for its next step or another status'),
      }),
    )
    .use(hasScope('agent'))
    .use(ofOwnJob)
    .output(JobView)
    .query(async ({ ctx: { caller, signal }, input: { jobId, wait } }) => {
      const job = await getJob(caller.ownerId, jobId)
      const hasChanged =
        job.status === 'running' && wait > 0 && (await waitForChange(job, { withinMs: wait * 1_000, gone: signal }))
      return hasChanged ? getJob(caller.ownerId, jobId) : job
    }),

  steps: keyProcedure
    .meta({
      ...meta('GET', '/agent/{jobId}/steps', 'listAgentSteps', "List a job's steps with what each was charged"),
      rest: { ...OF_A_JOB, schema: 'AgentStepList' },
    })
    .input(StepListRequest.extend(JobId.shape))
    .use(hasScope('agent'))
    .use(ofOwnJob)
    .output(StepList)
    .query(({ ctx: { caller }, input: { jobId, ...page } }) => listSteps(caller.ownerId, jobId, page)),

  events: keyProcedure
    .meta({
      ...meta('GET', '/agent/{jobId}/events', 'watchAgentJob', "Watch a job's steps as server-sent events"),
      rest: {
        ownHandler: true,
        bodies: { 204: null },
        content: { 'text/event-stream': EVENTS_TEXT },
        headers: ['last-event-id'],
        ...OF_A_JOB,
      },
    })
    .input(
      JobId.extend({
        after: EventId.default({ after: -1, endedRun: null }).describe('The same as Last-Event-ID'),
        deltas: z
          .enum(['true', 'false'])
          .default('false')
          .describe('`true`: also events of the step in progress, while it goes on'),
      }),
    )
    .use(hasScope('agent'))
    .use(ofOwnJob)
    .output(Events)
    .query(async ({ ctx: { caller, signal }, input: { jobId, after, deltas } }) => {
      await getJob(caller.ownerId, jobId)
      if (!(await hasNewEvents(jobId, after))) return null
      return streamJobEvents(caller.ownerId, jobId, { after: after.after, signal, deltas: deltas === 'true' })
    }),

  answer: keyProcedure
    .meta({
      ...meta('POST', '/agent/{jobId}/answer', 'answerAgentJob', 'Answer a job that needs input'),
      rest: CHANGES_A_JOB,
    })
    .input(AnswerRequest.extend(JobId.shape))
    .use(ofOwnJob)
    .output(AnsweredJob)
    .mutation(({ ctx: { caller }, input: { jobId, ...answer } }) => answerJob(caller, jobId, answer)),

  cancel: keyProcedure
    .meta({ ...meta('POST', '/agent/{jobId}/cancel', 'cancelAgentJob', 'Cancel a live run'), rest: CHANGES_A_JOB })
    .input(z.strictObject(JobId.shape))
    .use(ofOwnJob)
    .output(z.object({ jobId: z.string(), runId: z.string(), status: JobStatus }))
    .mutation(({ ctx: { caller }, input }) => cancelJob(caller, input.jobId)),

  raiseLimit: keyProcedure
    .meta({
      ...meta(
        'POST',
        '/agent/{jobId}/limit',
        'raiseAgentLimit',
        'Raise what a conversation may spend, up to the limit of the key',
      ),
      rest: { traits: ['granted', 'named'] },
    })
    .input(RaiseLimitRequest.extend(JobId.shape))
    .use(ofOwnJob)
    .output(RaisedLimit)
    .mutation(({ ctx: { caller }, input: { jobId, ...raise } }) => raiseLimit(caller, jobId, raise)),

  deliveries: keyProcedure
    .meta({
      ...meta('GET', '/agent/{jobId}/deliveries', 'listAgentDeliveries', "List what a job's callback URLs were sent"),
      rest: { ...OF_A_JOB, schema: 'AgentDeliveryList' },
    })
    .input(DeliveryListRequest.extend(JobId.shape))
    .use(hasScope('agent'))
    .use(ofOwnJob)
    .output(DeliveryList)
    .query(({ ctx: { caller }, input: { jobId, ...page } }) => listDeliveries(caller.ownerId, jobId, page)),

  sendDelivery: keyProcedure
    .meta({
      ...meta('POST', '/agent/{jobId}/deliveries/{deliveryId}/send', 'sendAgentDelivery', 'Send a delivery again'),
      rest: CHANGES_A_JOB,
    })
    .input(z.strictObject({ ...JobId.shape, ...DeliveryId.shape }))
    .use(ofOwnJob)
    .output(DeliveryView)
    .mutation(({ ctx: { caller }, input }) => sendDeliveryAgain(caller, input.jobId, input.deliveryId)),
})
