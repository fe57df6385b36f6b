import { fillTemplate } from '../kit/template'
import shapes from './shapes.json'

/** `kind` says how an actor's runs go. */
export type SimulatedActor = {
  id: string
  name: string
  title: string
  description: string | null
  categories: string[]
  kind: 'good' | 'overrun' | 'runaway' | 'sleeper' | 'slow' | 'failing' | 'late-bill' | 'no-bill' | 'empty'
  pricing: object | null
  memoryMbytes: number
  hasSchema: boolean
  owner: string
  schema: object
  exampleInput: object
  /** USD of an item, where it is paid by the event. */
  itemUsd: number
  /** How many items a run finds where nothing limits it. */
  found: number
  usage: { runs: number; users: number; users30Days: number; success: number; rating: number; reviews: number } | null
  item: (input: Record<string, unknown>, n: number, origin: string) => Record<string, unknown>
  /** How many items an input asks for; null where it does not say. */
  limitOf: (input: Record<string, unknown>) => number | null
}

/** USD of a start in the pay-per-event actors. */
export const START_USD = 0.001

const PRICINGS: Record<string, object> = shapes.pricings

/** Actors that tests know; those of `./store` follow from what is searched for. */
export const simulatedActors: SimulatedActor[] = shapes.simulatedActors.map((given) => {
  const made = { ...fillTemplate<typeof shapes.simulatedActor>(shapes.simulatedActor, given), ...given }
  return {
    ...made,
    kind: made.kind as SimulatedActor['kind'],
    pricing: PRICINGS[made.pricing ?? ''] ?? null,
    item: ({ query = 'page' }, n) => ({
      title: `${query} ${n + 1}`,
      url: `https://example.com/${encodeURIComponent(String(query))}/${n + 1}`,
      price: n % 7 === 6 ? null : 10 + n,
    }),
    limitOf: () => null,
  }
})

function stats({ usage, kind, ...at }: SimulatedActor) {
  const TOTAL = usage ? Math.max(1, Math.round(usage.runs / 14)) : 100
  const SUCCEEDED = usage ? Math.round(TOTAL * usage.success) : 95
  const FAILED = usage ? TOTAL - SUCCEEDED : 3
  const lastMonth = { SUCCEEDED, FAILED, 'TIMED-OUT': TOTAL - SUCCEEDED - FAILED, TOTAL }
  return {
    totalBuilds: usage ? 31 : 9,
    totalRuns: usage?.runs ?? 1000 - simulatedActors.findIndex(({ id }) => id === at.id) * 10,
    totalUsers: usage?.users ?? 100,
    totalUsers30Days: usage?.users30Days ?? 30,
    // A new actor has no figures of the last month.
    ...(kind !== 'empty' && { publicActorRunStats30Days: lastMonth }),
  }
}

/** As a row of the store: the price in force, a rating when there are reviews. */
export const storeRow = (at: SimulatedActor) =>
  fillTemplate(shapes.row, {
    ...at,
    stats: stats(at),
    currentPricingInfo: at.pricing ?? { pricingModel: 'FREE' },
    reviews: at.usage?.reviews ?? (at.hasSchema ? 12 : 0),
    rating: at.hasSchema ? (at.usage?.rating ?? 4.5) : undefined,
  })

const FUTURE_PRICE = { startedAt: '2999-01-01T00:00:00.000Z', pricingPerEvent: {}, pricePerUnitUsd: 9 }

/** As an object of its own: the history of prices, with one announced for later. */
export const actorObject = (at: SimulatedActor) =>
  fillTemplate(shapes.actor, {
    ...at,
    stats: stats(at),
    pricingInfos: at.pricing ? [at.pricing, { ...at.pricing, ...FUTURE_PRICE }] : undefined,
    exampleRunInput: at.hasSchema
      ? { body: JSON.stringify(at.exampleInput), contentType: 'application/json; charset=utf-8' }
      : { body: 'not json', contentType: 'text/plain' },
  })

/** The default build: the schema stands as text and as an object, or not at all. */
export const buildObject = (at: SimulatedActor) =>
  fillTemplate(shapes.build, {
    id: at.id,
    buildId: `build${at.id.replace(/[^A-Za-z0-9]/g, '').slice(0, 12)}`,
    inputSchema: at.hasSchema ? JSON.stringify(at.schema) : null,
    actorDefinition: at.hasSchema && at.name !== 'prices' ? { actorSpecification: 1, input: at.schema } : null,
  })
