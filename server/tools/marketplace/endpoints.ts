import { z } from 'zod'
import { AppError } from '../../errors'
import type { ToolContext } from '../define'
import { lenientNumber } from '../provider-fields'
import { createApifyClient, MARKETPLACE_PROVIDER, translateApifyErrors } from './client'
import { Actor, ActorBuild, ActorRun, StoreActor } from './schemas'

/** Apify v2, https://docs.apify.com/api/v2: each call through the vendor's client, each answer checked. */

function check<T extends z.ZodType>(shape: T, value: unknown): z.output<T> {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  throw new AppError('upstream_error', `${MARKETPLACE_PROVIDER} sent an answer of an unknown form.`, {
    cause: parsed.error,
  })
}

/** GET /v2/store, https://docs.apify.com/api/v2/store-get. */
export async function searchActorStore(
  context: ToolContext,
  query: { search: string; category?: string; limit: number },
) {
  const client = await createApifyClient(context)
  const found = await translateApifyErrors(client.store().list({ ...query, sortBy: 'relevance' }))
  return check(z.object({ total: z.number().nullish(), items: z.array(StoreActor) }), found)
}

/** GET /v2/actors/{id}, https://docs.apify.com/api/v2/act-get. An unknown one is an `upstream_error` that says so. */
export async function fetchActor(context: ToolContext, actorId: string): Promise<Actor> {
  const client = await createApifyClient(context)
  const found = await translateApifyErrors(client.actor(actorId).get())
  if (found === undefined) {
    throw new AppError(
      'upstream_error',
      `There is no actor ${actorId} in the marketplace. Take an id from marketplace_search_actors.`,
    )
  }
  return check(Actor, found)
}

/** GET /v2/actors/{id}/builds/default, https://docs.apify.com/api/v2/act-build-default-get: the input schema, or null. */
export async function fetchInputSchema(context: ToolContext, actorId: string): Promise<Record<string, unknown> | null> {
  const client = await createApifyClient(context)
  const url = `${client.baseUrl}/actors/${actorId.replace('/', '~')}/builds/default`
  // The client's own way asks twice: for the default build's id, then for the build.
  const build = await client.httpClient.call({ url, method: 'GET', params: {} }).then(
    ({ data }) => check(z.object({ data: ActorBuild }), data).data,
    (error) =>
      (error as { statusCode?: number }).statusCode === 404 ? null : translateApifyErrors(Promise.reject(error)),
  )
  if (build === null) return null
  const { actorDefinition, inputSchema } = build
  return toJsonObject(actorDefinition?.input) ?? toJsonObject(inputSchema)
}

/** An object, or the JSON text of one: the vendor has both. */
export function toJsonObject(value: unknown): Record<string, unknown> | null {
  if (typeof value === 'string') {
    try {
      return toJsonObject(JSON.parse(value))
    } catch {
      return null
    }
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

export type ActorRunLimits = {
  /** Items that an actor paid by the result may charge for. */
  maxItems: number
  /** USD that an actor paid by the event may charge. */
  maxTotalChargeUsd: number
  /** Seconds after which the vendor ends the run by itself. */
  timeout: number
}

/** POST /v2/actors/{id}/runs, https://docs.apify.com/api/v2/act-runs-post. Never sent twice. */
export async function startActorRun(
  context: ToolContext,
  actorId: string,
  input: object,
  limits: ActorRunLimits,
): Promise<ActorRun> {
  const client = await createApifyClient(context, { sendOnce: true })
  return check(ActorRun, await translateApifyErrors(client.actor(actorId).start(input, limits)))
}

/** GET /v2/actor-runs/{id}, https://docs.apify.com/api/v2/actor-run-get; waits at most `waitS` seconds for its end. */
export async function fetchActorRun(context: ToolContext, runId: string, waitS: number): Promise<ActorRun> {
  const client = await createApifyClient(context)
  return check(ActorRun, await translateApifyErrors(client.run(runId).get({ waitForFinish: waitS })))
}

/** POST /v2/actor-runs/{id}/abort, https://docs.apify.com/api/v2/actor-run-abort-post. */
export async function abortActorRun(context: ToolContext, runId: string): Promise<ActorRun> {
  const client = await createApifyClient(context)
  return check(ActorRun, await translateApifyErrors(client.run(runId).abort()))
}

const PAGE_ITEMS = 250
const PAGE_BYTES = 64 * 1024 * 1024
/** Characters of JSON after which no further page is read. */
const MOST_CHARS = 16_000_000

/**
 * GET /v2/datasets/{id}/items, https://docs.apify.com/api/v2/dataset-items-get: the first `most` items, without hidden
 * fields. `total` is the vendor's count of all, null where it does not say.
 */
export async function fetchDatasetItems(context: ToolContext, datasetId: string, most: number) {
  const client = await createApifyClient(context, { maxBytes: PAGE_BYTES })
  const Page = z.object({ items: z.array(z.unknown()), total: lenientNumber })
  const items: unknown[] = []
  let total: number | null = null
  let chars = 0
  while (items.length < most && chars < MOST_CHARS) {
    const limit = Math.min(PAGE_ITEMS, most - items.length)
    // Pages are counted before what is empty or hidden is taken out.
    const asked = client.dataset(datasetId).listItems({ offset: items.length, limit, skipHidden: true })
    const page = check(Page, await translateApifyErrors(asked))
    items.push(...page.items.slice(0, limit))
    chars += JSON.stringify(page.items).length
    total = Number.isSafeInteger(page.total) ? (page.total ?? null) : total
    if (page.items.length < limit) break
  }
  return { items, total }
}
