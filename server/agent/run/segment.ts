import { setTimeout as sleep } from 'node:timers/promises'
import { executeStatement } from '../../db'
import { isAppError } from '../../errors'
import { log } from '../../kit/log'
import { statement } from '../../kit/statement'
import { enqueueRun, type RunRef } from '../queue/send'
import { claimRun, MAX_ATTEMPTS } from './claim'
import { commitStep, type RunProgress } from './commit'
import { runFinalSummary } from './final-summary'
import { runModelStep } from './model-step'
import { decideNextStep, MAX_STEPS } from './next'
import { type AgentRun, stepsOfRun } from './state'
import { runToolCalls } from './tool-step'
import { completedWith, failedWith, type Transition } from './transition'

/** A segment hands its run on after this long, so that no message is at work for ever. */
const MOST_MS = 30 * 60_000
/** Seconds until a run is looked at again that waits for a call of the turn before. */
const LATER_S = 1
/** How long a lost database is waited for before the message is given back. */
const AWAY_MS = 60_000

/** Runs one step of a segment in a process of its own, and resolves when that has ended. */
export type IsolateRun = (segment: RunRef) => Promise<void>

/**
 * Runs a segment: from wherever a run stands to its next pause or end. It may be run by any worker at any time, also
 * twice: the fence lets one of them write. `stop` asks it to hand the run on at the next step. A step that stalled a
 * process before is given to `isolate`; without it, this process is the one that may be lost.
 */
export async function runSegment(segment: RunRef, stop: AbortSignal, isolate?: IsolateRun): Promise<void> {
  const taken = await claimRun(segment, isolate === undefined)
  if (taken.kind === 'over') return
  if (taken.kind === 'later') return void (await enqueueRun(segment, { startAfterS: LATER_S }))
  if (taken.kind === 'isolate') return isolate?.(segment)
  const { run } = taken
  const began = Date.now()
  try {
    while ((await step(run)) === 'on') {
      if (stop.aborted || Date.now() - began > MOST_MS) return void (await commitStep(run, null, { kind: 'release' }))
    }
  } catch (error) {
    if (isAppError(error) && error.code === 'unavailable') await returnTry(run)
    log.error({ job: run.jobId, run: run.runId, err: error instanceof Error ? error.stack : error }, 'a step broke off')
    throw error
  }
}

const enter = async (run: AgentRun, transition: Transition): Promise<RunProgress> =>
  (await commitStep(run, null, transition)).going

async function step(run: AgentRun): Promise<RunProgress> {
  if (stepsOfRun(run).length >= MAX_STEPS) {
    return enter(run, failedWith(`The run was ended after ${MAX_STEPS} steps without a result.`))
  }
  try {
    const next = await decideNextStep(run)
    switch (next.kind) {
      case 'think':
        return await runModelStep(run)
      case 'act':
        return await runToolCalls(run, next.calls)
      case 'pause':
        return await enter(run, { kind: 'pause', awaiting: next.awaiting })
      case 'wrap_up':
        return await runFinalSummary(run)
      case 'end':
        return await enter(run, completedWith(next.result))
      default:
        return next satisfies never
    }
  } catch (error) {
    return tryAgain(run, error)
  }
}

/** A model that failed is asked again after a while, so many times; what it refuses for good ends the run. */
async function tryAgain(run: AgentRun, error: unknown): Promise<RunProgress> {
  if (!isAppError(error)) throw error
  if (error.code === 'invalid_request' || error.code === 'unknown_model') {
    return enter(run, failedWith(`The model ${run.model.id} refused the request: ${error.message}`))
  }
  if (error.code === 'rate_limited') {
    // The owner has as many calls in progress as may be: nothing was begun, so this is not an attempt.
    await sleep((error.retryAfter ?? 1) * 1_000)
    return 'on'
  }
  if (error.code !== 'upstream_error') throw error
  if (run.tries >= MAX_ATTEMPTS) {
    return enter(run, failedWith(`The model ${run.model.id} failed ${MAX_ATTEMPTS} times: ${error.message}`))
  }
  const wait = Math.min((error.retryAfter ?? 0) * 1_000 || 500 * 2 ** run.tries, 30_000)
  log.warn({ job: run.jobId, tries: run.tries, wait, err: error.message }, 'a step is tried again')
  const going = await enter(run, { kind: 'retry', attempts: run.tries + 1 })
  if (going === 'on') await sleep(wait)
  return going
}

const RETURN_TRY = statement({
  name: 'agent_return_try',
  sql: 'UPDATE job SET tries = greatest(tries - 1, 0) WHERE id = $1 AND fence = $2',
  params: ['uuid', 'int'],
})

/** A try that only the database's absence ended does not count. Waits for the database, so that somebody can go on. */
async function returnTry(run: AgentRun): Promise<void> {
  const until = Date.now() + AWAY_MS
  while (Date.now() < until) {
    await sleep(500)
    const isGivenBack = await executeStatement(RETURN_TRY, [run.jobId, run.fence], { repeatable: false }).then(
      () => true,
      () => false,
    )
    if (isGivenBack) return
  }
}
