import { LRUCache } from 'lru-cache'
import { AppError } from '../../errors'
import type { ToolContext } from '../define'
import { fetchActor, fetchDatasetItems, startActorRun } from './endpoints'
import { followActorRun, itemsLostError, RUN_TIMINGS, type RunTimings, runFailedError } from './follow-run'
import { type ActorRunPlan, planActorRun } from './pricing'
import type { Actor } from './schemas'
import { marketplaceSettings } from './settings'

export type ActorRunRequest = { actorId: string; input: Record<string, unknown>; maxItems: number; maxCostUsd?: number }

/** Price lists are asked for twice a run, for its hold and at its start; they change with weeks of notice. */
const known = new LRUCache<string, Actor>({ max: 500, ttl: 60_000 })

async function knownActor(signal: AbortSignal, actorId: string): Promise<Actor> {
  const key = `${marketplaceSettings().APIFY_BASE_URL} ${actorId}`
  const actor = known.get(key) ?? (await fetchActor({ signal }, actorId))
  known.set(key, actor, { noUpdateTTL: true })
  return actor
}

const plan = async (signal: AbortSignal, request: ActorRunRequest, times: RunTimings): Promise<ActorRunPlan> =>
  planActorRun(await knownActor(signal, request.actorId), { ...request, seconds: times.runMs / 1000 })

/** USD to hold for a run: `maxCostUsd`, else what the actor's price makes of `maxItems`, for which the vendor is asked. */
export async function actorRunBoundUsd(request: ActorRunRequest): Promise<number> {
  if (request.maxCostUsd !== undefined) return request.maxCostUsd
  return (await plan(AbortSignal.timeout(15_000), request, RUN_TIMINGS)).capUsd
}

/**
 * Starts a run with the vendor's own caps, follows it to its end, and returns its items. Throws `invalid_request` before
 * the start when the caps leave nothing to run for, `upstream_error` with the run and its cost when it brought no result.
 * If the connection breaks while it is being started nobody knows its id: the vendor's caps and timeout end it then.
 */
export async function runActor(context: ToolContext, request: ActorRunRequest, times: RunTimings = RUN_TIMINGS) {
  const started = performance.now()
  // Reading the price costs nothing: until the run is started the caller may still leave.
  const planned = await plan(context.signal, request, times)
  const { maxItems, maxTotalChargeUsd } = planned
  const run = await startActorRun(context, request.actorId, request.input, {
    maxItems,
    maxTotalChargeUsd,
    timeout: Math.ceil(times.runMs / 1000),
  })
  const followed = await followActorRun(context, { run, plan: planned, deadline: started + times.runMs }, times)
  if (followed.stopped !== null || followed.run.status !== 'SUCCEEDED') throw runFailedError(followed)

  const { items, total } = await fetchDatasetItems(context, followed.run.defaultDatasetId, maxItems).catch(
    (error: unknown) => {
      throw error instanceof AppError ? itemsLostError(error, followed) : error
    },
  )
  return {
    rows: items.map(asObject),
    totalRows: Math.max(total ?? 0, items.length),
    nextCursor: null,
    run: {
      id: followed.run.id,
      status: followed.run.status,
      costUsd: followed.costUsd,
      startedAt: followed.run.startedAt,
      finishedAt: followed.run.finishedAt,
    },
  }
}

const asObject = (item: unknown): Record<string, unknown> =>
  typeof item === 'object' && item !== null && !Array.isArray(item) ? { ...item } : { value: item }
