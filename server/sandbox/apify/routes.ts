import { setTimeout as sleep } from 'node:timers/promises'
import { provokedFailure } from '../kit/failures'
import type { SandboxRoute } from '../kit/route'
import { actorObject, buildObject, type SimulatedActor, simulatedActors, storeRow } from './actors'
import { actorOf, beginRun, isRunning, itemCount, itemsOf, restOf, runObject, runOf, runOfDataset } from './runs'
import { searchStore } from './store'

/**
 * Apify v2 as https://docs.apify.com/api/v2 has it, over a made-up store whose actors follow from
 * what is searched for; their ids are `owner~name`. Actors that provoke something, which the search
 * `sandbox:actors` finds: `tide/overrun` costs three times its cap · `tide/runaway` costs more
 * every second and never ends · `tide/sleeper` never ends · `tide/slow` takes the `seconds` of its
 * input, by default 25 · `tide/failing` fails, and costs · `tide/late-bill` reports its cost late ·
 * `tide/no-bill` never · `tide/empty` finds nothing · `tide/rented` must be rented. Failures of the
 * API, asked for as a search or an actor: `sandbox-429`, `sandbox-500`, `sandbox-401`,
 * `sandbox-402`, `sandbox-html`, and the search `sandbox-empty`. Actors are named in paths as id or
 * user~name.
 */
export const apifyRoutes: SandboxRoute[] = [
  { method: 'GET', path: '/apify/v2/store', handle: (req) => guarded(req, store) },
  // The older name of the same paths.
  ...['acts', 'actors'].flatMap((name): SandboxRoute[] => [
    { method: 'GET', path: `/apify/v2/${name}/*`, handle: (req) => guarded(req, actor) },
    { method: 'POST', path: `/apify/v2/${name}/*`, handle: (req) => guarded(req, start) },
  ]),
  { method: 'GET', path: '/apify/v2/actor-runs/*', handle: (req) => guarded(req, run) },
  { method: 'POST', path: '/apify/v2/actor-runs/*', handle: (req) => guarded(req, abort) },
  { method: 'GET', path: '/apify/v2/datasets/*', handle: (req) => guarded(req, items) },
]

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers: { 'x-ratelimit-limit': '60', ...headers } })
const data = (value: unknown, status = 200) => json({ data: value }, status)

/** https://docs.apify.com/api/v2#errors: `{error: {type, message}}`. */
const refusal = (status: number, type: string, message: string) => json({ error: { type, message } }, status)
const notFound = (what: string) => refusal(404, 'record-not-found', `${what} was not found`)

type Asked = { url: URL; path: string[]; req: Request }

async function guarded(req: Request, answer: (asked: Asked) => Response | Promise<Response>): Promise<Response> {
  if (!req.headers.get('authorization')?.startsWith('Bearer ')) {
    return refusal(401, 'token-not-provided', 'Authentication token was not provided.')
  }
  const url = new URL(req.url)
  const path = url.pathname.split('/').slice(4).map(decodeURIComponent)
  const provoked = /^sandbox-(\d{3}|html)$/.exec(
    url.searchParams.get('search') ?? path[0]?.replace('tide~', '') ?? '',
  )?.[1]
  const failure = await provokedFailure('apify', provoked)
  if (failure) return failure
  return answer({ url, path, req })
}

/** Actors that a search finds. Those that tests know are found by `sandbox:actors`. */
function actorsFor(search: string, category: string | null): SimulatedActor[] {
  if (search === 'sandbox-empty') return []
  if (search === 'sandbox:actors')
    return simulatedActors.filter((known) => category === null || known.categories.includes(category))
  return searchStore(search, category).flatMap((id) => actorOf(id) ?? [])
}

/** https://docs.apify.com/api/v2/store-get */
function store({ url: { searchParams: query } }: Asked): Response {
  const limit = Math.min(Number(query.get('limit') ?? 1000), 1000)
  const offset = Number(query.get('offset') ?? 0)
  const fitting = actorsFor(query.get('search') ?? '', query.get('category'))
  const page = fitting.slice(offset, offset + limit).map(storeRow)
  return data({ total: fitting.length, offset, limit, desc: false, count: page.length, items: page })
}

/** https://docs.apify.com/api/v2/act-get and https://docs.apify.com/api/v2/act-build-default-get */
function actor({ path: [id = '', ...rest] }: Asked): Response {
  const found = actorOf(id)
  if (!found) return notFound('Actor')
  if (rest.length === 0) return data(actorObject(found))
  return rest.join('/') === 'builds/default' ? data(buildObject(found)) : notFound('Page')
}

/** https://docs.apify.com/api/v2/act-runs-post: the caps are query parameters. */
async function start({ path: [id = '', what], url, req }: Asked): Promise<Response> {
  const found = actorOf(id)
  if (!found || what !== 'runs') return notFound('Actor')
  if (found.name === 'rented')
    return refusal(403, 'actor-is-not-rented', 'You must rent a paid Actor in order to run it.')
  const input: unknown = await req.json().catch(() => null)
  const isObject = typeof input === 'object' && input !== null
  const { required = [] } = found.schema as { required?: string[] }
  const missing = required.find((field) => !isObject || !(field in input))
  if (!isObject || (found.hasSchema && missing !== undefined)) {
    return refusal(400, 'invalid-input', `Input is not valid: Field input.${missing} is required`)
  }
  const number = (name: string, otherwise: number) => Number(url.searchParams.get(name) ?? otherwise)
  const options = { maxItems: number('maxItems', 1000), capUsd: number('maxTotalChargeUsd', 5) }
  const begun = beginRun(found, { ...input }, options)
  return data({ ...runObject(begun), status: 'READY', finishedAt: null, usageTotalUsd: null }, 201)
}

/** https://docs.apify.com/api/v2/actor-run-get: waits up to `waitForFinish` seconds for the end. */
async function run({ path: [id = ''], url }: Asked): Promise<Response> {
  const found = runOf(id)
  if (!found) return notFound('Actor run')
  const waitS = Math.min(Number(url.searchParams.get('waitForFinish') ?? 0), 60)
  if (waitS > 0) await sleep(Math.min(waitS * 1000, restOf(found)))
  return data(runObject(found))
}

/** https://docs.apify.com/api/v2/actor-run-abort-post */
function abort({ path: [id = '', what] }: Asked): Response {
  const found = runOf(id)
  if (!found || what !== 'abort') return notFound('Actor run')
  if (!isRunning(found)) return refusal(400, 'run-already-finished', 'The run has ended already.')
  found.isAborted = true
  return data(runObject(found))
}

/** https://docs.apify.com/api/v2/dataset-items-get: a bare array, totals in headers. */
function items({ path: [id = '', what], url }: Asked): Response {
  const found = runOfDataset(id)
  if (!found || what !== 'items') return notFound('Dataset')
  const query = url.searchParams
  const offset = Number(query.get('offset') ?? 0)
  const limit = Number(query.get('limit') ?? 250_000)
  const isClean = query.get('skipHidden') === '1' || query.get('clean') === '1'
  const page = itemsOf(found, { offset, limit, withHidden: !isClean, origin: url.origin })
  return json(page, 200, {
    'x-apify-pagination-total': String(itemCount(found)),
    'x-apify-pagination-offset': String(offset),
    'x-apify-pagination-count': String(page.length),
    'x-apify-pagination-limit': String(limit),
  })
}
