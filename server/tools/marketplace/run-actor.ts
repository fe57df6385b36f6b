import { LRUCache } from 'lru-cache'
import { AppError } from '../../errors'
import type { ToolContext } from '../define'
import { fetchActor, fetchDatasetItems, startActorRun } from './endpoints'
import { followActorRun, itemsLostError, RUN_TIMINGS, type RunTimings, runFailedError } from './follow-run'
import { type ActorRunPlan, planActorRun } from './pricing'
import type { Actor } from './schemas'
import { marketplaceSettings } from './settings'

export type ActorRunRequest = { actorId: string; input: Record<string, unknown>; maxItems: number; maxCostUsd?: number }

/**
 * A run reads its price list twice, for its hold and at its start. Price lists change with weeks of
 * notice.
 */
const knownActors = new LRUCache<string, Actor>({ max: 500, ttl: 60_000 })

async function knownActor(signal: AbortSignal, actorId: string): Promise<Actor> {
  const key = `${marketplaceSettings().APIFY_BASE_URL} ${actorId}`
  const actor = knownActors.get(key) ?? (await fetchActor({ signal }, actorId))
  knownActors.set(key, actor, { noUpdateTTL: true })
  return actor
}

const plan = async (signal: AbortSignal, request: ActorRunRequest, times: RunTimings): Promise<ActorRunPlan> =>
  planActorRun(await knownActor(signal, request.actorId), { ...request, seconds: times.runMs / 1000 })

/**
 * USD to hold for a run: `maxCostUsd`, else `maxItems` at the actor's price, which is read first.
 */
export async function actorRunBoundUsd(request: ActorRunRequest): Promise<number> {
  if (request.maxCostUsd !== undefined) return request.maxCostUsd
  return (await plan(AbortSignal.timeout(15_000), request, RUN_TIMINGS)).capUsd
}

/**
 * Starts a run with Apify's own caps, follows it to its end, and returns its items; those that
 * there are of one that was stopped at a cap, by Apify or by this gateway. Throws
 * `invalid_request` before the start when the caps leave nothing to run for, and `upstream_error`
 * with the run and its cost when it had no result. If the connection closes during the start,
 * nobody knows the run's id: Apify's caps and timeout end it then.
 */
export async function runActor(context: ToolContext, request: ActorRunRequest, times: RunTimings = RUN_TIMINGS) {
  const started = performance.now()
  // Reading the price costs nothing: until the run starts the caller can still abort, so no
  // `onSent`.
  const planned = await plan(context.signal, request, times)
  const { maxItems, maxTotalChargeUsd } = planned
  const run = await startActorRun(context, request.actorId, request.input, {
    maxItems,
    maxTotalChargeUsd,
    timeout: Math.ceil(times.runMs / 1000),
  })
  const followed = await followActorRun(context, { run, plan: planned, deadline: started + times.runMs }, times)
  const { run: ended, costUsd } = followed
  const isCut = followed.isAtCap || (followed.stopped === null && ended.status === 'ABORTED')
  if (!isCut && (followed.stopped !== null || ended.status !== 'SUCCEEDED')) throw runFailedError(followed)

  const { items, total } = await fetchDatasetItems(context, ended.defaultDatasetId, maxItems).catch(
    (error: unknown) => {
      throw error instanceof AppError ? itemsLostError(error, followed) : error
    },
  )
  if (isCut && items.length === 0) throw runFailedError(followed)
  // What is left under the cap paid for no further item.
  const isSpent = planned.itemUsd > 0 && costUsd + planned.itemUsd > maxTotalChargeUsd + 1e-9
  const { id, status, startedAt, finishedAt } = ended
  return {
    rows: items.map(asObject),
    totalRows: Math.max(total ?? 0, items.length),
    nextCursor: null,
    isPartial: isCut || (isSpent && items.length < maxItems),
    run: { id, status, costUsd, startedAt, finishedAt },
  }
}

const asObject = (item: unknown): Record<string, unknown> =>
  typeof item === 'object' && item !== null && !Array.isArray(item) ? { ...item } : { value: item }
