import { z } from 'zod'

/** The vendor's objects as its OpenAPI has them, github.com/apify/apify-docs apify-api/openapi/components/schemas. */

/** The client turns times into dates where it can. */
export const apifyTime = z
  .union([z.date(), z.string()])
  .nullish()
  .catch(null)
  .transform((t) => {
    const date = new Date(t ?? Number.NaN)
    return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 ? null : date.toISOString()
  })

export const apifyNumber = z
  .number()
  .nullish()
  .catch(null)
  .transform((n) => n ?? null)

/** A cost or price: never below nothing. */
const usd = apifyNumber.transform((n) => (n !== null && n >= 0 ? n : null))

export const apifyText = z
  .string()
  .nullish()
  .catch(null)
  .transform((t) => t?.trim() || null)

const flag = z
  .boolean()
  .nullish()
  .catch(null)
  .transform((b) => b ?? false)

const Event = z.object({
  eventTitle: apifyText,
  eventDescription: apifyText,
  eventPriceUsd: usd,
  eventTieredPricingUsd: z
    .record(z.string(), z.object({ tieredEventPriceUsd: usd }))
    .nullish()
    .catch(null),
  isPrimaryEvent: flag,
  isOneTimeEvent: flag,
})

/** One price list of an actor. Prices are flat, or by the subscription tier of the account that runs it. */
export const PricingInfo = z.object({
  pricingModel: z.string(),
  startedAt: apifyTime,
  unitName: apifyText,
  pricePerUnitUsd: usd,
  tieredPricing: z
    .record(z.string(), z.object({ tieredPricePerUnitUsd: usd }))
    .nullish()
    .catch(null),
  pricingPerEvent: z
    .object({ actorChargeEvents: z.record(z.string(), Event).nullish() })
    .nullish()
    .catch(null),
  minimalMaxTotalChargeUsd: usd,
  isPPEPlatformUsagePaidByUser: flag,
})
export type PricingInfo = z.output<typeof PricingInfo>

const Stats = z
  .object({
    totalRuns: apifyNumber,
    totalUsers: apifyNumber,
    totalUsers30Days: apifyNumber,
    publicActorRunStats30Days: z.object({ SUCCEEDED: apifyNumber, TOTAL: apifyNumber }).nullish().catch(null),
  })
  .nullish()
  .catch(null)
export type ActorStats = z.output<typeof Stats>

const shared = {
  id: z.string().min(1),
  name: z.string(),
  username: apifyText,
  title: apifyText,
  description: apifyText,
  categories: z
    .array(z.string())
    .nullish()
    .catch(null)
    .transform((c) => c ?? []),
  stats: Stats,
}

export const StoreActor = z.object({
  ...shared,
  url: apifyText,
  currentPricingInfo: PricingInfo.nullish().catch(null),
  actorReviewRating: apifyNumber,
  actorReviewCount: apifyNumber,
})
export type StoreActor = z.output<typeof StoreActor>

export const Actor = z.object({
  ...shared,
  isDeprecated: flag,
  /** A history that holds announced prices too; missing for an actor that was always free. */
  pricingInfos: z.array(PricingInfo).nullish(),
  defaultRunOptions: z.object({ memoryMbytes: apifyNumber }).nullish().catch(null),
  exampleRunInput: z.object({ body: apifyText }).nullish().catch(null),
})
export type Actor = z.output<typeof Actor>

export const ActorBuild = z.object({
  inputSchema: z.unknown(),
  actorDefinition: z.object({ input: z.unknown() }).nullish().catch(null),
})

export const ACTOR_RUN_STATUSES = [
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
  statusMessage: apifyText,
  startedAt: apifyTime,
  finishedAt: apifyTime,
  defaultDatasetId: z.string().min(1),
  /** Null until some seconds after the end, and never there for actors paid by the result. */
  usageTotalUsd: usd,
  chargedEventCounts: z.record(z.string(), z.number()).nullish().catch(null),
  stats: z.object({ computeUnits: usd }).nullish().catch(null),
})
export type ActorRun = z.output<typeof ActorRun>
