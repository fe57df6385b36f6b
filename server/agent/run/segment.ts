import { setTimeout as sleep } from 'node:timers/promises'
import { isOnlyReserved } from '../../credits/reserve'
import { executeStatement } from '../../db'
import { AppError } from '../../errors'
import { errorStack } from '../../kit/error-stack'
import { log } from '../../kit/log'
import { statement } from '../../kit/statement'
import { retriedSteps, runsInProgress } from '../metrics'
import { enqueueRun, type RunRef } from '../queue/send'
import { claimRun, MAX_ATTEMPTS } from './claim'
import { commitStep, type RunProgress } from './commit'
import { completeRun } from './complete-run'
import { runFinalSummary } from './final-summary'
import { endLiveSteps } from './live-steps'
import { runModelStep } from './model-step'
import { decideNextStep, MAX_STEPS, type NextStep } from './next'
import { endTurnSpan, withStepSpan } from './run-trace'
import { type AgentRun, stepsOfRun } from './state'
import { concludeStructured } from './structured-answer'
import { runToolCalls } from './tool-step'
import { completedWith, failedWith } from './transition'
import { failedKeeping } from './unfinished-replies'

/**
 * After this long a segment releases its run to the next worker, so that no message stays in
 * progress forever.
 */
const MAX_SEGMENT_MS = 30 * 60_000
/** How soon a run is sent again that waits for a call of the turn before. */
const LATER_S = 1
/** How long an unavailable database is waited for before the message goes back to the queue. */
const DATABASE_WAIT_MS = 60_000

/** Runs one step in a separate process, and resolves when that process has ended. */
export type IsolateRun = (ref: RunRef) => Promise<void>

/**
 * Runs a segment: the steps of a run up to its next pause or end. Any worker may run it at any
 * time, even twice, because only the latest claim can write. `stop` releases the run after the step
 * in progress. A step that stalled a process before goes to `isolate`; without it, it runs here.
 */
export async function runSegment(ref: RunRef, stop: AbortSignal, isolate?: IsolateRun): Promise<void> {
  const claim = await claimRun(ref, isolate === undefined)
  if (claim.kind === 'over') return
  if (claim.kind === 'later') return void (await enqueueRun(ref, { startAfterS: LATER_S }))
  if (claim.kind === 'isolate') return isolate?.(ref)
  const { run } = claim
  const deadline = Date.now() + MAX_SEGMENT_MS
  runsInProgress.inc()
  try {
    while ((await runStep(run)) === 'continue') {
      if (stop.aborted || Date.now() > deadline) return void (await commitStep(run, null, { kind: 'release' }))
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') await returnAttempt(run)
    log.error({ job: run.jobId, run: run.runId, err: errorStack(error) }, 'a step failed')
    throw error
  } finally {
    runsInProgress.dec()
    endLiveSteps(run)
    endTurnSpan(run)
  }
}

async function runStep(run: AgentRun): Promise<RunProgress> {
  if (stepsOfRun(run).length >= MAX_STEPS) {
    return commitStep(run, null, failedWith(`The run was ended after ${MAX_STEPS} steps without a result.`))
  }
  try {
    const next = await decideNextStep(run)
    return await withStepSpan(run, next.kind, () => takeStep(run, next))
  } catch (error) {
    return retryOrFail(run, error)
  }
}

async function takeStep(run: AgentRun, next: NextStep): Promise<RunProgress> {
  switch (next.kind) {
    case 'model_step':
      return runModelStep(run)
    case 'tool_calls':
      return runToolCalls(run, next.calls)
    case 'pause':
      return commitStep(run, null, { kind: 'pause', awaiting: next.awaiting })
    case 'final_summary':
      return runFinalSummary(run)
    case 'conclude':
      return concludeStructured(run, next.schema)
    case 'end':
      return completeRun(run, null, completedWith(next.result))
    default:
      return next satisfies never
  }
}

/**
 * Retries a step whose model failed, after a while; a request that the model refuses fails the run.
 */
async function retryOrFail(run: AgentRun, error: unknown): Promise<RunProgress> {
  if (!(error instanceof AppError)) throw error
  const { attempts, model } = run
  if (error.code === 'invalid_request' || error.code === 'unknown_model') {
    return commitStep(run, null, failedKeeping(run, `The model ${model.id} refused the request: ${error.message}`))
  }
  if (error.code === 'rate_limited') {
    // The owner has the maximum of calls in progress. Nothing was begun, so this does not count as
    // an attempt.
    await sleep((error.retryAfter ?? 1) * 1_000)
    return 'continue'
  }
  // Other calls hold the credits of this step: they come back. Looks whether the run still is.
  if (isOnlyReserved(error)) return commitStep(run, null, { kind: 'retry', attempts })
  if (error.code !== 'upstream_error') throw error
  if (attempts >= MAX_ATTEMPTS) {
    return commitStep(
      run,
      null,
      failedKeeping(run, `The model ${model.id} failed ${MAX_ATTEMPTS} times: ${error.message}`),
    )
  }
  const waitMs = Math.min((error.retryAfter ?? 0) * 1_000 || 500 * 2 ** attempts, 30_000)
  log.warn({ job: run.jobId, attempts, waitMs, err: error.message }, 'a step is retried')
  retriedSteps.inc()
  const progress = await commitStep(run, null, { kind: 'retry', attempts: attempts + 1 })
  if (progress === 'continue') await sleep(waitMs)
  return progress
}

const RETURN_ATTEMPT = statement({
  name: 'agent_return_attempt',
  sql: 'UPDATE job SET attempts = greatest(attempts - 1, 0) WHERE id = $1 AND fencing_token = $2',
  params: ['uuid', 'int'],
})

/**
 * Takes back an attempt that only the unavailable database ended, as soon as the database is
 * available again.
 */
async function returnAttempt({ jobId, fencingToken }: AgentRun): Promise<void> {
  const deadline = Date.now() + DATABASE_WAIT_MS
  while (Date.now() < deadline) {
    await sleep(500)
    const updated = executeStatement(RETURN_ATTEMPT, [jobId, fencingToken], { repeatable: false })
    if ((await updated.catch(() => null)) !== null) return
  }
}
