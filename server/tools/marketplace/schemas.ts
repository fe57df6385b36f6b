import { z } from 'zod'
import { lenient, lenientFlag, lenientNumber, lenientObject, lenientText, lenientTime } from '../provider-fields'

/** Objects of the Apify API: github.com/apify/apify-docs, apify-api/openapi/components/schemas. */

/** A cost or price; a negative one counts as unknown. */
const usd = lenientNumber.transform((n) => (n !== null && n >= 0 ? n : null))

const Event = z.object({
  eventTitle: lenientText,
  eventDescription: lenientText,
  eventPriceUsd: usd,
  eventTieredPricingUsd: lenient(z.record(z.string(), z.object({ tieredEventPriceUsd: usd }))),
  isPrimaryEvent: lenientFlag,
  isOneTimeEvent: lenientFlag,
})

/**
 * One price list of an actor. Prices are flat, or by the subscription tier of the account that runs
 * it.
 */
export const PricingInfo = z.object({
  pricingModel: z.string(),
  startedAt: lenientTime,
  unitName: lenientText,
  pricePerUnitUsd: usd,
  tieredPricing: lenient(z.record(z.string(), z.object({ tieredPricePerUnitUsd: usd }))),
  pricingPerEvent: lenientObject({ actorChargeEvents: z.record(z.string(), Event).nullish() }),
  minimalMaxTotalChargeUsd: usd,
  isPPEPlatformUsagePaidByUser: lenientFlag,
})
export type PricingInfo = z.output<typeof PricingInfo>

const Stats = lenientObject({
  totalRuns: lenientNumber,
  totalUsers: lenientNumber,
  totalUsers30Days: lenientNumber,
  publicActorRunStats30Days: lenientObject({ SUCCEEDED: lenientNumber, TOTAL: lenientNumber }),
})
export type ActorStats = z.output<typeof Stats>

const shared = {
  id: z.string().min(1),
  name: z.string(),
  username: lenientText,
  title: lenientText,
  description: lenientText,
  categories: lenient(z.array(z.string())).transform((c) => c ?? []),
  stats: Stats,
}

export const StoreActor = z.object({
  ...shared,
  url: lenientText,
  currentPricingInfo: lenient(PricingInfo),
  actorReviewRating: lenientNumber,
  actorReviewCount: lenientNumber,
})
export type StoreActor = z.output<typeof StoreActor>

export const Actor = z.object({
  ...shared,
  isDeprecated: lenientFlag,
  /** A history with announced prices too; missing for an actor that was always free. */
  pricingInfos: z.array(PricingInfo).nullish(),
  defaultRunOptions: lenientObject({ memoryMbytes: lenientNumber }),
  exampleRunInput: lenientObject({ body: lenientText }),
})
export type Actor = z.output<typeof Actor>

export const ActorBuild = z.object({
  inputSchema: z.unknown(),
  actorDefinition: lenientObject({ input: z.unknown() }),
})

const ACTOR_RUN_STATUSES = [
  'READY',
  'RUNNING',
  'SUCCEEDED',
  'FAILED',
  'TIMING-OUT',
  'TIMED-OUT',
  'ABORTING',
  'ABORTED',
] as const

export const ActorRun = z.object({
  id: z.string().min(1),
  status: z.enum(ACTOR_RUN_STATUSES),
  statusMessage: lenientText,
  startedAt: lenientTime,
  finishedAt: lenientTime,
  defaultDatasetId: z.string().min(1),
  /** Null until some seconds after the end, and always for actors paid by the result. */
  usageTotalUsd: usd,
  chargedEventCounts: lenient(z.record(z.string(), z.number())),
  stats: lenientObject({ computeUnits: usd }),
})
export type ActorRun = z.output<typeof ActorRun>
