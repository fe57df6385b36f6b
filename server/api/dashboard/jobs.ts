import { z } from 'zod'
import type { Session } from '../../accounts/shape'
import { answerJob } from '../../agent/jobs/answer'
import { cancelJob } from '../../agent/jobs/cancel'
import { estimateRun } from '../../agent/jobs/estimate'
import { listAnswers } from '../../agent/jobs/list-answers'
import { listSteps } from '../../agent/jobs/list-steps'
import { LivePosition, LiveStepView } from '../../agent/jobs/live-view'
import { rerunJob } from '../../agent/jobs/rerun'
import { raiseLimit } from '../../agent/jobs/run-limit'
import { searchJobs } from '../../agent/jobs/search'
import { JobFilter, JobRows, JobTotals, SearchJobs, WatchedJobs, WatchJobs } from '../../agent/jobs/shape'
import { shareRun, unshareRun } from '../../agent/jobs/share'
import { RunShare, ShareShows } from '../../agent/jobs/share-shape'
import { startJob } from '../../agent/jobs/start'
import { getConversation } from '../../agent/jobs/status'
import { totalJobs } from '../../agent/jobs/total'
import { JobAnswerView, JobTurnView } from '../../agent/jobs/turn-view'
import { watchListedJobs } from '../../agent/jobs/watch-list'
import { watchLiveSteps } from '../../agent/jobs/watch-live'
import {
  AnsweredJob,
  AnswerRequest,
  JobId,
  JobStatus,
  JobView,
  RaisedLimit,
  RaiseLimitRequest,
  RerunRequest,
  RunMode,
  RunPrice,
  StartedJob,
  StartRequest,
  StepList,
  StepListRequest,
} from '../../agent/shape'
import { listDeliveries, sendDeliveryAgain } from '../../agent/webhooks/log'
import { DeliveryId, DeliveryList, DeliveryListRequest, DeliveryView } from '../../agent/webhooks/shape'
import { CallLimit } from '../../credits/shape'
import { readCallerGrants } from '../../keys/grants'
import { getKey } from '../../keys/list'
import { searchKeys } from '../../keys/search'
import { KeySearch, type KeyView } from '../../keys/shape'
import { audited, NOT_AUDITED } from '../operation-meta'
import { memberProcedure, router } from '../trpc'
import { asStarter } from './as-starter'
import { checkPrice, PriceCheck } from './price-check'

const Conversation = z.object({
  job: JobView,
  title: z.string(),
  createdAt: z.string(),
  turns: z.array(JobTurnView),
  answers: z.array(JobAnswerView),
})

const RunPriceCheck = PriceCheck.extend({
  least: z.int().describe('Credits that must be free for a run to start'),
  model: z.string().describe('The model the run would use'),
  range: RunPrice.describe('What such a run costs, the steps of its model and the verdicts of judges included'),
  judges: z.int().describe('How many checks a model judges'),
  limitedBy: CallLimit.describe('Which limit leaves the least'),
})

/** Models that judge the result, one for each such check. */
const Judges = z.array(z.string().max(200)).max(10)

const RaiseJobLimit = RaiseLimitRequest.extend(JobId.shape)

const RunId = z.strictObject({ runId: z.string() })
const ShareRun = RunId.extend({ shows: ShareShows })

const RunKey = z.object({ id: z.int(), name: z.string() })

const mayRun = ({ agent, state }: KeyView): boolean => agent && state === 'active'

/** A member answers and cancels the jobs of every key, by their own name: no grants are checked. */
const asMember = ({ owner, session }: { owner: number; session: Session }) => ({
  ...{ ownerId: owner, keyId: null, grants: null },
  by: session.email,
})

export const jobs = router({
  list: memberProcedure('viewer')
    .input(SearchJobs)
    .output(JobRows)
    .query(({ ctx, input }) => searchJobs(ctx.owner, input, ctx.signal)),

  totals: memberProcedure('viewer')
    .input(JobFilter)
    .output(JobTotals)
    .query(({ ctx, input }) => totalJobs(ctx.owner, input, ctx.signal)),

  /** The rows of a page as they are now. */
  listed: memberProcedure('viewer')
    .input(WatchJobs)
    .output(WatchedJobs)
    .query(({ ctx, input }) => watchListedJobs(ctx.owner, input, ctx.signal)),

  get: memberProcedure('viewer')
    .input(JobId)
    .output(Conversation)
    .query(async ({ ctx, input }) => ({
      ...(await getConversation(ctx.owner, input.jobId)),
      answers: await listAnswers(ctx.owner, input.jobId),
    })),

  steps: memberProcedure('viewer')
    .input(StepListRequest.extend(JobId.shape))
    .output(StepList)
    .query(({ ctx, input: { jobId, ...page } }) => listSteps(ctx.owner, jobId, page)),

  live: memberProcedure('viewer')
    .input(JobId.extend({ have: LivePosition.nullable() }))
    .output(z.array(LiveStepView))
    .query(({ ctx, input: { jobId, have } }) => watchLiveSteps(ctx.owner, jobId, have)),

  answer: memberProcedure('developer')
    .meta(NOT_AUDITED)
    .input(AnswerRequest.extend(JobId.shape))
    .output(AnsweredJob)
    .mutation(({ ctx, input: { jobId, ...answer } }) => answerJob(asMember(ctx), jobId, answer)),

  cancel: memberProcedure('developer')
    .meta(NOT_AUDITED)
    .input(JobId)
    .output(z.object({ jobId: z.string(), runId: z.string(), status: JobStatus }))
    .mutation(({ ctx, input }) => cancelJob(asMember(ctx), input.jobId)),

  /** Raises what a conversation may spend, whatever the keys of its turns say. */
  raiseLimit: memberProcedure('developer')
    .meta(
      audited<z.input<typeof RaiseJobLimit>, RaisedLimit>('run_limit_raised', {
        subject: ({ jobId }) => jobId,
        detail: ({ capCredits }) => ({ capCredits }),
      }),
    )
    .input(RaiseJobLimit)
    .output(RaisedLimit)
    .mutation(({ ctx, input: { jobId, ...raise } }) => raiseLimit(asMember(ctx), jobId, raise)),

  /** Makes a link with which anybody reads a completed run, or changes what it shows. */
  share: memberProcedure('developer')
    .meta(
      audited<z.input<typeof ShareRun>, RunShare>('run_shared', {
        subject: ({ runId }) => runId,
        detail: ({ shows }) => ({ shows }),
      }),
    )
    .input(ShareRun)
    .output(RunShare)
    .mutation(({ ctx, input }) => shareRun(ctx.owner, input)),

  unshare: memberProcedure('developer')
    .meta(audited('run_unshared', { subject: ({ runId }: z.infer<typeof RunId>) => runId }))
    .input(RunId)
    .output(RunId)
    .mutation(({ ctx, input }) => unshareRun(ctx.owner, input.runId)),

  deliveries: memberProcedure('viewer')
    .input(DeliveryListRequest.extend(JobId.shape))
    .output(DeliveryList)
    .query(({ ctx, input: { jobId, ...page } }) => listDeliveries(ctx.owner, jobId, page)),

  sendDelivery: memberProcedure('developer')
    .meta(NOT_AUDITED)
    .input(JobId.extend(DeliveryId.shape))
    .output(DeliveryView)
    .mutation(({ ctx, input }) => sendDeliveryAgain(asMember(ctx), input.jobId, input.deliveryId)),

  /** What a run under one of the owner's keys may spend and usually costs. Nothing is started. */
  estimate: memberProcedure('developer')
    .input(
      StartRequest.pick({ model: true, conversationId: true })
        .extend({ mode: RunMode.optional(), judges: Judges.optional() })
        .extend({ keyId: z.int32().positive() }),
    )
    .output(RunPriceCheck)
    .query(async ({ ctx, input }) => {
      const { free, ...estimate } = await estimateRun(ctx.owner, input, { signal: ctx.signal })
      // The limit is the owner's own choice: what such runs usually cost decides, once it is known.
      const asksAt = estimate.typical === null ? 'most' : 'typical'
      return checkPrice(ctx.owner, estimate, { least: estimate.least, free, asksAt })
    }),

  /** Starts a run under one of the owner's keys, with the grants and limits of that key. */
  start: memberProcedure('developer')
    .meta(NOT_AUDITED)
    .input(StartRequest.omit({ wait: true }).extend({ keyId: z.int32().positive() }))
    .output(StartedJob)
    .mutation(async ({ ctx, input: { keyId, ...request } }) => {
      await getKey(ctx.owner, keyId)
      const starter = { ownerId: ctx.owner, keyId, grants: await readCallerGrants(keyId) }
      return (await startJob(starter, { ...request, wait: false }, { origin: 'dashboard', by: asStarter(ctx) })).job
    }),

  /** Starts a run that takes over a finished one up to a step, under one of the owner's keys. */
  rerun: memberProcedure('developer')
    .meta(NOT_AUDITED)
    .input(RerunRequest.extend(JobId.shape).extend({ keyId: z.int32().positive() }))
    .output(StartedJob)
    .mutation(async ({ ctx, input: { keyId, jobId, ...request } }) => {
      await getKey(ctx.owner, keyId)
      const starter = { ownerId: ctx.owner, keyId, grants: await readCallerGrants(keyId) }
      return (await rerunJob(starter, jobId, { request, startedBy: { origin: 'dashboard', by: asStarter(ctx) } })).job
    }),

  /**
   * The key that a form of runs begins with: this one, where runs can be started under it, or the
   * newest such key; null: no key may start runs.
   */
  runKey: memberProcedure('developer')
    .input(z.object({ keyId: z.int32().positive().optional() }))
    .output(RunKey.nullable())
    .query(async ({ ctx, input: { keyId } }) => {
      const search = KeySearch.parse({ state: 'active', may: 'agent', limit: 1 })
      const [wanted, { rows }] = await Promise.all([
        keyId === undefined ? null : getKey(ctx.owner, keyId),
        searchKeys(ctx.owner, search, { signal: ctx.signal }),
      ])
      const key = wanted && mayRun(wanted) ? wanted : rows[0]
      return key ? { id: key.id, name: key.name } : null
    }),
})
