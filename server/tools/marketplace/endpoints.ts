import { z } from 'zod'
import { AppError } from '../../errors'
import { type ProviderContext, parseProviderValue } from '../provider'
import { lenientNumber } from '../provider-fields'
import { createApifyClient, MARKETPLACE_PROVIDER, translateApifyErrors } from './client'
import { Actor, ActorBuild, ActorRun, StoreActor } from './schemas'

/**
 * Endpoints of Apify v2, https://docs.apify.com/api/v2, called with Apify's client; every response
 * is parsed.
 */

const parseApify = <T extends z.ZodType>(shape: T, value: unknown): z.output<T> =>
  parseProviderValue(MARKETPLACE_PROVIDER, value, shape)

/** GET /v2/store, https://docs.apify.com/api/v2/store-get. */
export async function searchActorStore(
  context: ProviderContext,
  query: { search: string; category?: string; limit: number },
) {
  const client = await createApifyClient(context)
  const found = await translateApifyErrors(client.store().list({ ...query, sortBy: 'relevance' }))
  return parseApify(z.object({ total: z.number().nullish(), items: z.array(StoreActor) }), found)
}

/**
 * GET /v2/actors/{id}, https://docs.apify.com/api/v2/act-get. Throws `upstream_error` when there is
 * none.
 */
export async function fetchActor(context: ProviderContext, actorId: string): Promise<Actor> {
  const client = await createApifyClient(context)
  const found = await translateApifyErrors(client.actor(actorId).get())
  if (found === undefined) {
    throw new AppError(
      'upstream_error',
      `There is no actor ${actorId} in the marketplace. Take an id from marketplace_search_actors.`,
      { reason: 'not_found' },
    )
  }
  return parseApify(Actor, found)
}

/**
 * GET /v2/actors/{id}/builds/default, https://docs.apify.com/api/v2/act-build-default-get: the
 * input schema, or null.
 */
export async function fetchInputSchema(
  context: ProviderContext,
  actorId: string,
): Promise<Record<string, unknown> | null> {
  const client = await createApifyClient(context)
  const url = `${client.baseUrl}/actors/${actorId.replace('/', '~')}/builds/default`
  // The client's own method takes two requests: the default build's id, then the build.
  const build = await client.httpClient.call({ url, method: 'GET', params: {} }).then(
    ({ data }) => parseApify(z.object({ data: ActorBuild }), data).data,
    (error) =>
      (error as { statusCode?: number }).statusCode === 404 ? null : translateApifyErrors(Promise.reject(error)),
  )
  if (build === null) return null
  const { actorDefinition, inputSchema } = build
  return toJsonObject(actorDefinition?.input) ?? toJsonObject(inputSchema)
}

/** An object, or the JSON text of one: Apify sends both. */
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
  /** Maximum number of items that an actor paid by the result may charge for. */
  maxItems: number
  /** Maximum in USD that an actor paid by the event may charge. */
  maxTotalChargeUsd: number
  /** Seconds after which Apify ends the run. */
  timeout: number
}

/** POST /v2/actors/{id}/runs, https://docs.apify.com/api/v2/act-runs-post. Sent once. */
export async function startActorRun(
  context: ProviderContext,
  actorId: string,
  input: object,
  limits: ActorRunLimits,
): Promise<ActorRun> {
  const client = await createApifyClient(context, { sendOnce: true })
  return parseApify(ActorRun, await translateApifyErrors(client.actor(actorId).start(input, limits)))
}

/**
 * GET /v2/actor-runs/{id}, https://docs.apify.com/api/v2/actor-run-get; waits up to `waitS` seconds
 * for its end.
 */
export async function fetchActorRun(context: ProviderContext, runId: string, waitS: number): Promise<ActorRun> {
  const client = await createApifyClient(context)
  return parseApify(ActorRun, await translateApifyErrors(client.run(runId).get({ waitForFinish: waitS })))
}

/** POST /v2/actor-runs/{id}/abort, https://docs.apify.com/api/v2/actor-run-abort-post. */
export async function abortActorRun(context: ProviderContext, runId: string): Promise<ActorRun> {
  const client = await createApifyClient(context)
  return parseApify(ActorRun, await translateApifyErrors(client.run(runId).abort()))
}

const PAGE_ITEMS = 250
const PAGE_BYTES = 64 * 1024 * 1024
/** Characters of JSON after which no further page is read. */
const MAX_CHARS = 16_000_000

/**
 * GET /v2/datasets/{id}/items, https://docs.apify.com/api/v2/dataset-items-get: the first
 * `maxItems` items, without hidden fields. `total` is Apify's count of all; null if unknown.
 */
export async function fetchDatasetItems(context: ProviderContext, datasetId: string, maxItems: number) {
  const client = await createApifyClient(context, { maxBytes: PAGE_BYTES })
  const Page = z.object({ items: z.array(z.unknown()), total: lenientNumber })
  const items: unknown[] = []
  let total: number | null = null
  let chars = 0
  while (items.length < maxItems && chars < MAX_CHARS) {
    const limit = Math.min(PAGE_ITEMS, maxItems - items.length)
    // Page sizes count empty and hidden items, which Apify then leaves out.
    const asked = client.dataset(datasetId).listItems({ offset: items.length, limit, skipHidden: true })
    const page = parseApify(Page, await translateApifyErrors(asked))
    items.push(...page.items.slice(0, limit))
    chars += JSON.stringify(page.items).length
    total = Number.isSafeInteger(page.total) ? (page.total ?? null) : total
    if (page.items.length < limit) break
  }
  return { items, total }
}
