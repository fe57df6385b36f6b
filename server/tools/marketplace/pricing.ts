import { z } from 'zod'
import { invalidRequest } from '../../errors'
import type { Actor, ActorRun, PricingInfo } from './schemas'

/**
 * What a run may cost and did cost, in USD at Apify's price. Of tiered prices the highest counts:
 * the account's tier is unknown.
 */

/** On top of price times items: an item may cause more than one event. */
const HEADROOM = 1.2
/** Platform usage is compute, storage and transfer; only compute is known in advance. */
const USAGE_HEADROOM = 2
/** A gigabyte for an hour on the most expensive plan: https://apify.com/pricing */
const USD_PER_COMPUTE_UNIT = 0.4
const DEFAULT_MEMORY_MB = 4096

/**
 * The current price list: the latest of the history that has started. Null: free except for
 * platform usage.
 */
export function currentActorPricing(infos: PricingInfo[] | null | undefined, now = Date.now()): PricingInfo | null {
  const beginsAt = (info: PricingInfo) => (info.startedAt === null ? 0 : Date.parse(info.startedAt))
  const begun = (infos ?? []).filter((info) => beginsAt(info) <= now)
  return begun.sort((a, b) => beginsAt(a) - beginsAt(b)).at(-1) ?? null
}

const prices = (flat: number | null, tiers: (number | null)[]): number[] =>
  [flat, ...tiers].filter((price) => price !== null)

type Event = NonNullable<NonNullable<PricingInfo['pricingPerEvent']>['actorChargeEvents']>[string]
const eventPrices = (event: Event) =>
  prices(
    event.eventPriceUsd,
    Object.values(event.eventTieredPricingUsd ?? {}).map((tier) => tier.tieredEventPriceUsd),
  )
const highest = (all: number[]): number => Math.max(0, ...all)
const lowest = (all: number[]): number => (all.length > 0 ? Math.min(...all) : 0)

const eventsOf = (info: PricingInfo | null) => Object.entries(info?.pricingPerEvent?.actorChargeEvents ?? {})

const itemPrice = (info: PricingInfo): number =>
  highest(
    prices(
      info.pricePerUnitUsd,
      Object.values(info.tieredPricing ?? {}).map((t) => t.tieredPricePerUnitUsd),
    ),
  )

/**
 * What an item of an actor paid by the event costs, and what each run costs in addition. `ofItems`:
 * the events that each item causes once; empty where the actor does not say.
 */
function eventRates(info: PricingInfo): { once: number; perItem: number; ofItems: string[] } {
  const events = eventsOf(info).map(([name, event]) => ({ name, event, price: highest(eventPrices(event)) }))
  const sum = (some: typeof events) => some.reduce((all, { price }) => all + price, 0)
  const repeated = events.filter(({ event }) => !event.isOneTimeEvent)
  const main = repeated.filter(({ name, event }) => event.isPrimaryEvent || name === 'apify-default-dataset-item')
  return {
    once: sum(events.filter(({ event }) => event.isOneTimeEvent)),
    perItem: sum(main.length > 0 ? main : repeated),
    ofItems: main.map(({ name }) => name),
  }
}

const paysUsage = (info: PricingInfo | null): boolean =>
  !info || info.isPPEPlatformUsagePaidByUser || !['PRICE_PER_DATASET_ITEM', 'PAY_PER_EVENT'].includes(info.pricingModel)

const usageUsdPerSecond = (actor: Actor): number =>
  ((actor.defaultRunOptions?.memoryMbytes ?? DEFAULT_MEMORY_MB) / 1024 / 3600) * USD_PER_COMPUTE_UNIT

export type ActorRunPlan = {
  /** Maximum cost of the run in USD: it is held, and the run is stopped there. */
  capUsd: number
  /** The cap on events that Apify enforces. */
  maxTotalChargeUsd: number
  maxItems: number
  /** The price of an item paid by the event; 0: another actor, or it has no such price. */
  itemUsd: number
  info: PricingInfo | null
  /** Platform usage per second, if the run pays for it. */
  usageUsdPerS: number
}

/**
 * What a run may cost: `maxCostUsd`, else the price times the items with headroom. `maxItems`
 * lowers Apify's own cap too, and `maxCostUsd` the items of an actor paid by the result. Throws
 * `invalid_request` when the two leave no item, or less than the actor's minimum cap.
 */
export function planActorRun(
  actor: Actor,
  asked: { maxItems: number; maxCostUsd?: number; seconds: number },
): ActorRunPlan {
  const { maxItems, maxCostUsd, seconds } = asked
  const info = currentActorPricing(actor.pricingInfos)
  const refuse = (message: string) => invalidRequest([{ path: ['params', 'maxCostUsd'], message }])
  const usageUsdPerS = paysUsage(info) ? usageUsdPerSecond(actor) : 0
  const plan = (priceUsd: number, minCapUsd: number, items = maxItems): ActorRunPlan => {
    const derived = roundUpUsd(Math.max(priceUsd * HEADROOM, minCapUsd) + usageUsdPerS * seconds * USAGE_HEADROOM)
    const maxTotalChargeUsd = Math.min(maxCostUsd ?? derived, derived)
    return { capUsd: maxCostUsd ?? derived, maxTotalChargeUsd, maxItems: items, itemUsd: 0, info, usageUsdPerS }
  }

  if (info?.pricingModel === 'PRICE_PER_DATASET_ITEM') {
    const each = itemPrice(info)
    const affordable = maxCostUsd === undefined || each === 0 ? maxItems : Math.floor(maxCostUsd / each + 1e-9)
    if (affordable < 1) throw refuse(`must be at least ${each}, the price of one item`)
    return plan(each * maxItems, 0, Math.min(maxItems, affordable))
  }
  if (info?.pricingModel === 'PAY_PER_EVENT') {
    const { once, perItem, ofItems } = eventRates(info)
    const minCapUsd = info.minimalMaxTotalChargeUsd ?? 0
    if (maxCostUsd !== undefined && maxCostUsd < minCapUsd) throw refuse(`must be at least ${minCapUsd} for this actor`)
    if (maxCostUsd === undefined && once + perItem + minCapUsd === 0)
      throw refuse('must be given: this actor names no price')
    if (maxCostUsd !== undefined && once + perItem === 0)
      return { capUsd: maxCostUsd, maxTotalChargeUsd: maxCostUsd, maxItems, itemUsd: 0, info, usageUsdPerS }
    const planned = plan(once + perItem * maxItems, minCapUsd)
    if (ofItems.length === 0) return planned
    // With headroom the provider would make, and bill, more items than were asked for.
    const exactUsd = Math.max(roundUpUsd(once + perItem * maxItems), minCapUsd)
    return { ...planned, maxTotalChargeUsd: Math.min(planned.maxTotalChargeUsd, exactUsd), itemUsd: perItem }
  }
  return plan(0, 0)
}

/** Rounded up to a hundredth of a cent, at least 0.001. */
const roundUpUsd = (usd: number): number => Math.max(0.001, Math.ceil(Number((usd * 10_000).toFixed(4))) / 10_000)

/** What items beyond `maxItems` cost, which nobody asked for: at most what they can have cost. */
function surplusUsd(counts: Record<string, number>, { info, maxItems }: ActorRunPlan): number {
  if (!info) return 0
  const known = Object.fromEntries(eventsOf(info))
  return eventRates(info).ofItems.reduce((sum, name) => {
    const price = known[name] ? highest(eventPrices(known[name])) : 0
    return sum + price * Math.max(0, (counts[name] ?? 0) - maxItems)
  }, 0)
}

/**
 * What a run has cost so far, without items beyond `maxItems`, and whether that is final.
 * `usageTotalUsd` counts once it covers the charged events. Until then, and where it never comes:
 * charged events; else items at their price; else compute units; else time and memory. An actor
 * paid by the result costs its items.
 */
export function actorRunCost(
  run: ActorRun,
  plan: ActorRunPlan,
  items: number | null,
): { usd: number; isFinal: boolean } {
  const { info, maxItems } = plan
  const totalUsd = run.usageTotalUsd
  if (info?.pricingModel === 'PRICE_PER_DATASET_ITEM') {
    return { usd: Math.max(itemPrice(info) * Math.min(items ?? 0, maxItems), totalUsd ?? 0), isFinal: items !== null }
  }
  if (info?.pricingModel === 'PAY_PER_EVENT') {
    const counts = Object.entries(run.chargedEventCounts ?? {})
    const without = (usd: number) => Math.max(0, usd - surplusUsd(run.chargedEventCounts ?? {}, plan))
    const charged = (price: (all: number[]) => number) => {
      const known = Object.fromEntries(eventsOf(info))
      return counts.reduce((sum, [name, n]) => sum + n * (known[name] ? price(eventPrices(known[name])) : 0), 0)
    }
    if (totalUsd !== null && totalUsd >= charged(lowest) - 1e-9) return { usd: without(totalUsd), isFinal: true }
    if (run.chargedEventCounts) return { usd: without(Math.max(totalUsd ?? 0, charged(highest))), isFinal: false }
    const { once, perItem } = eventRates(info)
    return { usd: Math.min(once + perItem * Math.min(items ?? 0, maxItems), plan.maxTotalChargeUsd), isFinal: false }
  }
  if (totalUsd !== null) return { usd: totalUsd, isFinal: true }
  const units = run.stats?.computeUnits
  return { usd: units ? units * USD_PER_COMPUTE_UNIT : secondsOf(run) * plan.usageUsdPerS, isFinal: false }
}

const secondsOf = ({ startedAt, finishedAt }: ActorRun): number =>
  startedAt && finishedAt ? Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)) / 1000 : 0

/** A price list as the tools return it. */
export const ActorPricing = z
  .object({
    model: z.string().describe('FREE, PAY_PER_EVENT, PRICE_PER_DATASET_ITEM or FLAT_PRICE_PER_MONTH'),
    summary: z.string().describe('In words; prices are the marketplace’s own, before markup'),
    pricePerItemUsd: z.number().nullable(),
    pricePerStartUsd: z.number().nullable(),
    monthlyUsd: z.number().nullable(),
    minimumCapUsd: z.number().nullable().describe('Minimum maxCostUsd of the actor'),
    paysPlatformUsage: z.boolean().describe('Whether platform usage such as compute is billed in addition'),
    events: z.array(
      z.object({
        name: z.string(),
        title: z.string().nullable(),
        priceUsd: z.number(),
        isOneTime: z.boolean(),
        isPrimary: z.boolean(),
      }),
    ),
  })
  .meta({ title: 'ActorPricing' })

export function describeActorPricing(info: PricingInfo | null): z.output<typeof ActorPricing> {
  const model = info?.pricingModel ?? 'FREE'
  const rates = info && model === 'PAY_PER_EVENT' ? eventRates(info) : null
  const each = info && model === 'PRICE_PER_DATASET_ITEM' ? itemPrice(info) : (rates?.perItem ?? null)
  const monthly = model === 'FLAT_PRICE_PER_MONTH' ? (info?.pricePerUnitUsd ?? null) : null
  return {
    model,
    summary: summaryOf(model, { each, monthly, once: rates?.once ?? 0, unit: info?.unitName ?? 'item' }),
    pricePerItemUsd: each,
    pricePerStartUsd: rates?.once ?? null,
    monthlyUsd: monthly,
    minimumCapUsd: info?.minimalMaxTotalChargeUsd ?? null,
    paysPlatformUsage: paysUsage(info),
    events: eventsOf(info).map(([name, event]) => ({
      name,
      title: event.eventTitle,
      priceUsd: highest(eventPrices(event)),
      isOneTime: event.isOneTimeEvent,
      isPrimary: event.isPrimaryEvent,
    })),
  }
}

type PriceSummary = { each: number | null; monthly: number | null; once: number; unit: string }

function summaryOf(model: string, { each, monthly, once, unit }: PriceSummary): string {
  if (model === 'PRICE_PER_DATASET_ITEM') return `$${each} per ${unit}`
  if (model === 'PAY_PER_EVENT') return `about $${each} per item${once > 0 ? ` and $${once} per run` : ''}`
  if (model === 'FLAT_PRICE_PER_MONTH') return `rented for $${monthly ?? '?'} a month, plus platform usage`
  return 'free, except for platform usage'
}
