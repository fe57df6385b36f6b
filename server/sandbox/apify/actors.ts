import { fillTemplate } from '../kit/template'
import shapes from './shapes.json'

/**
 * Actors that tests know; those of `./store` follow from what is searched for. `kind` says how an
 * actor's runs go.
 */

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

export const BEGAN = {
  createdAt: '2024-12-01T00:00:00.000Z',
  startedAt: '2025-01-01T00:00:00.000Z',
  apifyMarginPercentage: 0.2,
}

/** USD of an item and of a start in the pay-per-event actors. */
const ITEM_USD = 0.004
export const START_USD = 0.001

const perEvent = fillTemplate(shapes.tieredPricing, BEGAN)
const perItem = { ...BEGAN, pricingModel: 'PRICE_PER_DATASET_ITEM', unitName: 'price', pricePerUnitUsd: 0.005 }

const SCHEMA = {
  ...shapes.schema,
  properties: { query: { title: 'Query', type: 'string', editor: 'textfield', prefill: 'lighthouses' } },
  required: ['query'],
}

const actor = (
  id: string,
  name: string,
  title: string,
  kind: SimulatedActor['kind'] = 'good',
  more: Partial<SimulatedActor> = {},
): SimulatedActor => ({
  id,
  name,
  title,
  description: `${title} &amp; more, made up.`,
  categories: ['ECOMMERCE'],
  kind,
  pricing: perEvent,
  memoryMbytes: 1024,
  hasSchema: true,
  owner: 'tide',
  schema: SCHEMA,
  exampleInput: { query: 'lighthouses' },
  itemUsd: ITEM_USD,
  found: 120,
  usage: null,
  item: ({ query = 'page' }, n) => ({
    title: `${query} ${n + 1}`,
    url: `https://example.com/${encodeURIComponent(String(query))}/${n + 1}`,
    price: n % 7 === 6 ? null : 10 + n,
  }),
  limitOf: () => null,
  ...more,
})

export const simulatedActors: SimulatedActor[] = [
  actor('places00000000001', 'places', 'Places Scraper'),
  actor('prices00000000001', 'prices', 'Price Scraper', 'good', { pricing: perItem }),
  actor('pages000000000001', 'pages', 'Page Crawler', 'good', { pricing: null, categories: ['AI'], hasSchema: false }),
  actor('overrun0000000001', 'overrun', 'Costs more than its hold', 'overrun', { description: null }),
  actor('runaway0000000001', 'runaway', 'Costs more every second', 'runaway', { pricing: null }),
  actor('sleeper0000000001', 'sleeper', 'Never ends', 'sleeper'),
  actor('slow0000000000001', 'slow', 'Takes as long as its input says', 'slow'),
  actor('failing0000000001', 'failing', 'Fails', 'failing'),
  actor('latebill000000001', 'late-bill', 'Reports its cost late', 'late-bill'),
  actor('nobill00000000001', 'no-bill', 'Never reports its cost', 'no-bill'),
  actor('empty000000000001', 'empty', 'Finds nothing', 'empty'),
  actor('rented00000000001', 'rented', 'Must be rented', 'good', {
    pricing: { ...BEGAN, pricingModel: 'FLAT_PRICE_PER_MONTH', pricePerUnitUsd: 20, trialMinutes: 60 },
  }),
]

function stats(at: SimulatedActor) {
  if (at.usage) {
    const { runs, users, users30Days, success } = at.usage
    const TOTAL = Math.max(1, Math.round(runs / 14))
    const SUCCEEDED = Math.round(TOTAL * success)
    return {
      totalBuilds: 31,
      totalRuns: runs,
      totalUsers: users,
      totalUsers30Days: users30Days,
      publicActorRunStats30Days: { SUCCEEDED, FAILED: TOTAL - SUCCEEDED, 'TIMED-OUT': 0, TOTAL },
    }
  }
  return {
    totalBuilds: 9,
    totalRuns: 1000 - simulatedActors.indexOf(at) * 10,
    totalUsers: 100,
    totalUsers30Days: 30,
    // A new actor has no figures of the last month.
    ...(at.kind !== 'empty' && {
      publicActorRunStats30Days: { SUCCEEDED: 95, FAILED: 3, 'TIMED-OUT': 2, TOTAL: 100 },
    }),
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
