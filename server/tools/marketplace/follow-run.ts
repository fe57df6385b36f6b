import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../errors'
import { log } from '../../kit/log'
import { trimEnd } from '../../kit/trim-end'
import type { ToolContext } from '../define'
import { abortActorRun, fetchActorRun, fetchDatasetItems } from './endpoints'
import { type ActorRunPlan, actorRunCost } from './pricing'
import type { ActorRun } from './schemas'

/** How long a run may take and how it is watched; tests have shorter ones. */
export type RunTimings = {
  /** From the start of the call until the run is stopped. */
  runMs: number
  /** For stopping it and hearing its end. */
  abortMs: number
  /** For a last word when the whole time budget is over already. */
  lastMs: number
  /** Seconds that the vendor is asked to wait for the end before it answers. */
  pollS: number
  leastPollMs: number
  /** How often, and after how long each, a cost that is not final yet is asked for again. */
  settleTries: number
  settleEveryMs: number
}

/** Together below the tool's 280 s. */
export const RUN_TIMINGS: RunTimings = {
  runMs: 240_000,
  abortMs: 15_000,
  lastMs: 1_500,
  pollS: 5,
  leastPollMs: 1_000,
  settleTries: 3,
  settleEveryMs: 2_000,
}

const isOver = ({ status }: ActorRun): boolean => ['SUCCEEDED', 'FAILED', 'ABORTED', 'TIMED-OUT'].includes(status)

export type FollowedRun = {
  run: ActorRun
  costUsd: number
  /** Why we stopped it, or null when it came to its end by itself. */
  stopped: string | null
}

type Following = { run: ActorRun; plan: ActorRunPlan; deadline: number }

/**
 * Waits for a started run and stops it when it costs more than its cap, takes longer than `deadline` (of
 * `performance.now`), can no longer be seen, or the signal fires. Tells `context.spent` all the while. Never throws: what
 * it answers has cost money, whatever the vendor says.
 */
export async function followActorRun(
  context: ToolContext,
  { run, plan, deadline }: Following,
  times: RunTimings,
): Promise<FollowedRun> {
  let latest = run
  let unseen = 0
  let stopped: string | null = null
  context.spent(actorRunCost(latest, plan, null).usd)

  while (!isOver(latest) && stopped === null) {
    const began = performance.now()
    const waitS = Math.max(0, Math.min(times.pollS, Math.floor((deadline - began) / 1000)))
    try {
      latest = await fetchActorRun(context, run.id, waitS)
      unseen = 0
    } catch {
      unseen++
    }
    const { usd } = actorRunCost(latest, plan, null)
    context.spent(usd)
    if (isOver(latest)) break
    if (context.signal.aborted || performance.now() >= deadline) stopped = 'did not end in time and was stopped'
    else if (usd > plan.capUsd) stopped = `was stopped at its cap of $${plan.capUsd}`
    else if (unseen === 5) stopped = 'could no longer be followed and was stopped'
    else await sleep(Math.max(0, times.leastPollMs - (performance.now() - began)), undefined, context).catch(() => {})
  }

  const closing = { ...context, signal: AbortSignal.timeout(context.signal.aborted ? times.lastMs : times.abortMs) }
  if (stopped !== null) latest = await stopRun(closing, latest, times)
  // Its timeout and cap end it at the vendor's, soon; what it costs until then nobody pays us.
  if (!isOver(latest)) log.error({ run: run.id, stopped }, 'a run could not be seen to end')
  return { ...(await settleCost(closing, latest, plan, times)), stopped }
}

/** Stops a run, asking again while its end is not certain. Answers what was last seen of it. */
async function stopRun(context: ToolContext, run: ActorRun, times: RunTimings): Promise<ActorRun> {
  let latest = run
  while (!isOver(latest) && !context.signal.aborted) {
    try {
      latest =
        latest.status === 'ABORTING' ? await fetchActorRun(context, run.id, 1) : await abortActorRun(context, run.id)
    } catch {
      // It may have ended by itself just before.
      latest = await fetchActorRun(context, run.id, 0).catch(() => latest)
    }
    if (!isOver(latest)) await sleep(Math.min(times.leastPollMs, 500), undefined, context).catch(() => {})
  }
  return latest
}

/** The cost of an ended run: asked for again while it is not the vendor's last word. */
async function settleCost(context: ToolContext, run: ActorRun, plan: ActorRunPlan, times: RunTimings) {
  let latest = run
  const needsItems = plan.info?.pricingModel === 'PRICE_PER_DATASET_ITEM' || latest.chargedEventCounts == null
  let items: number | null = null
  for (let tries = 0; ; tries++) {
    if (needsItems) items = await countItems(context, latest).catch(() => items)
    const { usd, isFinal } = actorRunCost(latest, plan, items)
    if (isFinal || tries === times.settleTries || context.signal.aborted) {
      context.spent(usd)
      return { run: latest, costUsd: usd }
    }
    await sleep(times.settleEveryMs, undefined, context).catch(() => {})
    latest = await fetchActorRun(context, run.id, 0).catch(() => latest)
  }
}

async function countItems(context: ToolContext, { defaultDatasetId }: ActorRun): Promise<number> {
  const { items, total } = await fetchDatasetItems(context, defaultDatasetId, 1)
  return Math.max(total ?? 0, items.length)
}

/** The error of a run that brought no result, with what it cost. */
export function runFailedError({ run, costUsd, stopped }: FollowedRun): AppError {
  const words: Partial<Record<ActorRun['status'], string>> = {
    FAILED: 'failed',
    ABORTED: 'was aborted',
    'TIMED-OUT': 'did not end in time',
  }
  const said = stopped === null && run.statusMessage ? `: ${trimEnd(run.statusMessage.slice(0, 200), ' \t\n.')}` : ''
  return new AppError(
    'upstream_error',
    `The actor's run ${stopped ?? words[run.status] ?? 'came to no end'}${said}. It cost $${costUsd}.`,
    { detail: { run: { id: run.id, status: run.status, costUsd } } },
  )
}

/** The error of a run that succeeded, but whose items could not be had. */
export const itemsLostError = (error: AppError, { run, costUsd }: FollowedRun): AppError =>
  new AppError('upstream_error', `${error.message} The run had succeeded and cost $${costUsd}.`, {
    detail: { run: { id: run.id, status: run.status, costUsd } },
    cause: error,
  })
