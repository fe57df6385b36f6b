import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../errors'
import { log } from '../../kit/log'
import { trimEnd } from '../../kit/trim-end'
import type { ToolContext } from '../define'
import { abortActorRun, fetchActorRun, fetchDatasetItems } from './endpoints'
import { type ActorRunPlan, actorRunCost } from './pricing'
import type { ActorRun } from './schemas'

/** How long a run may take, and how often it is polled; tests use shorter times. */
export type RunTimings = {
  /** From the start of the call until the run is stopped. */
  runMs: number
  /** For aborting it and waiting for its end. */
  abortMs: number
  /** For the last requests when the tool's time budget is over already. */
  lastMs: number
  /** Seconds that Apify waits for the end of the run before it responds. */
  pollS: number
  minPollMs: number
  /** How often, and at which interval, a cost that is not final yet is read again. */
  maxCostReads: number
  costReadEveryMs: number
}

/** Less than the tool's 280 s in total. */
export const RUN_TIMINGS: RunTimings = {
  runMs: 240_000,
  abortMs: 15_000,
  lastMs: 1_500,
  pollS: 5,
  minPollMs: 1_000,
  maxCostReads: 3,
  costReadEveryMs: 2_000,
}

const isOver = ({ status }: ActorRun): boolean => ['SUCCEEDED', 'FAILED', 'ABORTED', 'TIMED-OUT'].includes(status)

export type FollowedRun = {
  run: ActorRun
  costUsd: number
  /** Why this gateway stopped it; null when it ended by itself. */
  stopped: string | null
  /** It was stopped because it had cost more than its cap. */
  isAtCap: boolean
}

type Following = { run: ActorRun; plan: ActorRunPlan; deadline: number }

/**
 * Waits for a started run and stops it when it costs more than its cap, takes longer than
 * `deadline` (of `performance.now`), can no longer be read, or the signal aborts. Reports its cost
 * to `context.spent` throughout. Never throws: the run has cost money, whatever Apify responds.
 */
export async function followActorRun(
  context: ToolContext,
  { run, plan, deadline }: Following,
  times: RunTimings,
): Promise<FollowedRun> {
  let latest = run
  let failedReads = 0
  let stopped: string | null = null
  let isAtCap = false
  context.spent(actorRunCost(latest, plan, null).usd)

  while (!isOver(latest) && stopped === null) {
    const began = performance.now()
    const waitS = Math.max(0, Math.min(times.pollS, Math.floor((deadline - began) / 1000)))
    try {
      latest = await fetchActorRun(context, run.id, waitS)
      failedReads = 0
    } catch {
      failedReads++
    }
    const { usd } = actorRunCost(latest, plan, null)
    context.spent(usd)
    if (isOver(latest)) break
    if (context.signal.aborted || performance.now() >= deadline) stopped = 'did not end in time and was stopped'
    else if (usd > plan.capUsd) {
      isAtCap = true
      stopped = `was stopped at its cap of $${plan.capUsd}`
    } else if (failedReads === 5) stopped = 'could no longer be followed and was stopped'
    else await sleep(Math.max(0, times.minPollMs - (performance.now() - began)), undefined, context).catch(() => {})
  }

  const closing = { ...context, signal: AbortSignal.timeout(context.signal.aborted ? times.lastMs : times.abortMs) }
  if (stopped !== null) latest = await stopRun(closing, latest, times)
  // Its timeout and cap end it at Apify soon; what it costs until then is the operator's loss.
  if (!isOver(latest)) log.error({ run: run.id, stopped }, 'an actor run did not end in time')
  return { ...(await readFinalCost(closing, latest, plan, times)), stopped, isAtCap }
}

/** Aborts a run, again while its end is not certain. Returns its latest state. */
async function stopRun(context: ToolContext, run: ActorRun, times: RunTimings): Promise<ActorRun> {
  let latest = run
  while (!isOver(latest) && !context.signal.aborted) {
    try {
      latest =
        latest.status === 'ABORTING' ? await fetchActorRun(context, run.id, 1) : await abortActorRun(context, run.id)
    } catch {
      // It may just have ended by itself.
      latest = await fetchActorRun(context, run.id, 0).catch(() => latest)
    }
    if (!isOver(latest)) await sleep(Math.min(times.minPollMs, 500), undefined, context).catch(() => {})
  }
  return latest
}

/** The cost of an ended run, read again until it is final. */
async function readFinalCost(context: ToolContext, run: ActorRun, plan: ActorRunPlan, times: RunTimings) {
  let latest = run
  const needsItems = plan.info?.pricingModel === 'PRICE_PER_DATASET_ITEM' || latest.chargedEventCounts == null
  let items: number | null = null
  for (let reads = 0; ; reads++) {
    if (needsItems) items = await countItems(context, latest).catch(() => items)
    const { usd, isFinal } = actorRunCost(latest, plan, items)
    if (isFinal || reads === times.maxCostReads || context.signal.aborted) {
      context.spent(usd)
      return { run: latest, costUsd: usd }
    }
    await sleep(times.costReadEveryMs, undefined, context).catch(() => {})
    latest = await fetchActorRun(context, run.id, 0).catch(() => latest)
  }
}

async function countItems(context: ToolContext, { defaultDatasetId }: ActorRun): Promise<number> {
  const { items, total } = await fetchDatasetItems(context, defaultDatasetId, 1)
  return Math.max(total ?? 0, items.length)
}

/** The error for a run without a result, with its cost. */
export function runFailedError({ run, costUsd, stopped }: FollowedRun): AppError {
  const words: Partial<Record<ActorRun['status'], string>> = {
    FAILED: 'failed',
    ABORTED: 'was aborted',
    'TIMED-OUT': 'did not end in time',
  }
  const reason = stopped === null && run.statusMessage ? `: ${trimEnd(run.statusMessage.slice(0, 200), ' \t\n.')}` : ''
  return new AppError(
    'upstream_error',
    `The actor's run ${stopped ?? words[run.status] ?? 'did not end'}${reason}. It cost $${costUsd}.`,
    {
      reason: run.status === 'TIMED-OUT' ? 'timeout' : 'provider_error',
      detail: { run: { id: run.id, status: run.status, costUsd } },
    },
  )
}

/** The error for a run that succeeded, but whose items could not be read. */
export const itemsLostError = (error: AppError, { run, costUsd }: FollowedRun): AppError =>
  new AppError('upstream_error', `${error.message} The run had succeeded and cost $${costUsd}.`, {
    detail: { run: { id: run.id, status: run.status, costUsd } },
    cause: error,
  })
