import type pg from 'pg'
import { agentSettings } from '../accounts/settings'
import { voidHoldsUnder } from '../credits/settle'
import { LimitSource } from '../credits/shape'
import { inTransaction, prisma } from '../db'
import { AppError } from '../errors'
import { log } from '../kit/log'
import { endTurn, type LockedJob, lockJob } from './job-row'
import type { Segment } from './queue'
import { chatModelOf, type Run } from './run'
import { JobStatus, Mode, StepKind } from './shape'
import { canStep } from './states'
import { toolsOf } from './toolbox'

/** A step that was begun this often and never ended is given up. */
export const MOST_TRIES = 5

/** `over`: there is nothing to do. `later`: a call of the turn before, which was cancelled, is still under way. */
export type Taken = { kind: 'run'; run: Run } | { kind: 'over' } | { kind: 'later' }

/**
 * Takes a run's fence, so that whoever had it can write nothing more, and voids every hold made under the old one:
 * the next try of a call never competes with its own dead hold. Answers the run as its rows tell it.
 */
export async function takeRun({ jobId, runId }: Segment): Promise<Taken> {
  const taken = await inTransaction((db) => takeFence(db, jobId, runId))
  if (typeof taken === 'string') return { kind: taken }
  const run = await readRun(jobId, taken)
  if (run) return { kind: 'run', run }
  await inTransaction((db) => endTurn(db, { id: jobId, runId }, { status: 'failed', result: MODEL_GONE }))
  return { kind: 'over' }
}

const MODEL_GONE = 'The model of this run is not served here any more.'

async function takeFence(db: pg.PoolClient, jobId: string, runId: string): Promise<LockedJob | 'over' | 'later'> {
  const job = await lockJob(db, jobId)
  if (!job || job.runId !== runId || !canStep(job.status)) return 'over'
  if (job.fenceRunId !== null && job.fenceRunId !== runId && (await hasLiveCalls(db, jobId))) return 'later'
  if (job.tries >= MOST_TRIES) {
    log.error({ job: jobId, run: runId, tries: job.tries }, 'a step was given up')
    const result = `The run was given up: its next step was begun ${MOST_TRIES} times and never ended.`
    await endTurn(db, job, { status: 'failed', result })
    await voidHoldsUnder(db, jobId)
    return 'over'
  }
  await db.query(
    'UPDATE job SET fence = fence + 1, fence_run_id = $2, tries = tries + 1, updated_at = clock_timestamp() WHERE id = $1',
    [jobId, runId],
  )
  await voidHoldsUnder(db, jobId)
  return { ...job, fence: job.fence + 1, tries: job.tries + 1 }
}

/** Whether a process that lives has calls under way for this conversation. */
async function hasLiveCalls(db: pg.PoolClient, jobId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT 1 FROM hold h JOIN holder p ON p.id = h.holder_id WHERE h.limit_id = $1 AND p.lease_until > now() LIMIT 1`,
    [jobId],
  )
  return rowCount !== 0
}

/** Everything a run goes on from; null when its model cannot be called here. */
async function readRun(jobId: string, job: LockedJob): Promise<Run | null> {
  const [turns, steps, answers, settings] = await Promise.all([
    prisma().turn.findMany({ where: { jobId }, orderBy: { number: 'asc' } }),
    prisma().step.findMany({ where: { jobId }, orderBy: { index: 'asc' } }),
    prisma().answer.findMany({ where: { jobId } }),
    agentSettings(job.ownerId),
  ])
  const turn = turns.at(-1)
  if (!turn || turn.runId !== job.runId) throw new AppError('internal_error', 'A job has no turn.')
  const model = chatModelOf(turn.model)
  if (!model) return null
  return {
    jobId,
    runId: job.runId,
    ownerId: job.ownerId,
    keyId: turn.keyId,
    fence: job.fence,
    tries: job.tries,
    mode: Mode.parse(turn.mode),
    model,
    goal: turn.goal,
    firstAgent: turn.agent,
    historyTurnLimit: turn.historyTurnLimit,
    capCredits: Number(turn.capCredits),
    turns: turns.map(({ runId, number, goal, status, result }) => ({
      runId,
      number,
      goal,
      status: JobStatus.parse(status),
      result,
    })),
    steps: steps.map((step) => ({
      index: step.index,
      runId: step.runId,
      kind: StepKind.parse(step.kind),
      name: step.name,
      input: step.input,
      output: step.output,
      error: step.error as { code: string; message: string } | null,
      charged: Number(step.charged),
    })),
    answers: new Map(answers.map(({ index, approved, feedback }) => [index, { approved, feedback }])),
    tools: toolsOf({
      capabilities: turn.capabilities.length > 0 ? turn.capabilities : null,
      disabledTools: settings.disabledTools,
    }),
    reachedBy: job.reachedBy === null ? null : LimitSource.parse(job.reachedBy),
  }
}
