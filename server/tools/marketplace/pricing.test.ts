import { describe, expect, test } from 'vitest'
import { actorRunCost, currentActorPricing, describeActorPricing, planActorRun } from './pricing'
import { Actor, ActorRun, PricingInfo } from './schemas'

const info = (given: object) => PricingInfo.parse(given)
const byItem = info({ pricingModel: 'PRICE_PER_DATASET_ITEM', pricePerUnitUsd: 0.01 })
const byEvent = info({
  pricingModel: 'PAY_PER_EVENT',
  pricingPerEvent: {
    actorChargeEvents: {
      start: { eventPriceUsd: 0.1, isOneTimeEvent: true },
      row: {
        isPrimaryEvent: true,
        eventTieredPricingUsd: { FREE: { tieredEventPriceUsd: 0.02 }, GOLD: { tieredEventPriceUsd: 0.01 } },
      },
      extra: { eventPriceUsd: 5 },
    },
  },
})
const actor = (pricing?: PricingInfo, memoryMbytes = 1024) =>
  Actor.parse({ id: 'a', name: 'a', pricingInfos: pricing ? [pricing] : null, defaultRunOptions: { memoryMbytes } })
const run = (given: object) => ActorRun.parse({ id: 'r', status: 'SUCCEEDED', defaultDatasetId: 'd', ...given })
const plan = (pricing?: PricingInfo, maxCostUsd?: number, maxItems = 100) =>
  planActorRun(actor(pricing), { maxItems, maxCostUsd, seconds: 360 })

test('the current price is the latest that has started, wherever it is in the history', () => {
  const at = (startedAt: string, pricePerUnitUsd: number) =>
    info({ pricingModel: 'PRICE_PER_DATASET_ITEM', startedAt: new Date(startedAt), pricePerUnitUsd })
  const history = [at('2999-01-01', 9), at('2025-01-01', 2), at('2024-01-01', 1)]
  expect(currentActorPricing(history)?.pricePerUnitUsd).toBe(2)
  expect(currentActorPricing([])).toBeNull()
  expect(currentActorPricing(null)).toBeNull()
})

describe('the cap of a run', () => {
  test.each([
    ['the price of the items with headroom', byItem, undefined, { capUsd: 1.2, maxItems: 100 }],
    [
      'the dearest tier of the main event, and the start, with headroom',
      byEvent,
      undefined,
      { capUsd: 2.52, maxTotalChargeUsd: 2.1 },
    ],
    ['what the caller says', byEvent, 0.5, { capUsd: 0.5, maxTotalChargeUsd: 0.5 }],
    [
      'what the caller says, but the provider’s own cap is not above the cost of the items',
      byEvent,
      25,
      { capUsd: 25, maxTotalChargeUsd: 2.1 },
    ],
    ['what the caller says, in whole items', byItem, 0.105, { capUsd: 0.105, maxItems: 10 }],
    ['compute for the whole time twice over, where usage is paid', undefined, undefined, { capUsd: 0.08 }],
  ])('is %s', (_name, pricing, maxCostUsd, expected) => {
    expect(plan(pricing, maxCostUsd)).toMatchObject(expected)
  })

  test.each([
    ['one item', byItem, 0.005, /at least 0\.01/],
    ['the minimum cap of the actor', info({ ...byEvent, minimalMaxTotalChargeUsd: 0.5 }), 0.4, /at least 0\.5/],
    ['anything, the price being unknown', info({ pricingModel: 'PAY_PER_EVENT' }), undefined, /must be given/],
  ])('is refused when it does not pay for %s', (_name, pricing, maxCostUsd, message) => {
    expect(() => plan(pricing, maxCostUsd)).toThrow(message)
  })

  test('is never below the minimum cap of the actor', () => {
    expect(plan(info({ ...byEvent, minimalMaxTotalChargeUsd: 50 })).capUsd).toBe(50)
  })
})

describe('the cost of a run', () => {
  const cost = (pricing: PricingInfo | undefined, given: object, items: number | null = null) =>
    actorRunCost(run(given), plan(pricing), items)

  test.each([
    [
      'the provider’s number',
      byEvent,
      { usageTotalUsd: 0.3, chargedEventCounts: { start: 1, row: 20 } },
      null,
      0.3,
      true,
    ],
    [
      'the events at the dearest tier while the number does not cover them',
      byEvent,
      { usageTotalUsd: 0.1, chargedEventCounts: { start: 1, row: 20 } },
      null,
      0.5,
      false,
    ],
    [
      'the events where there is no number',
      byEvent,
      { usageTotalUsd: null, chargedEventCounts: { start: 1, row: 20 } },
      null,
      0.5,
      false,
    ],
    [
      'the items where there are no events either',
      byEvent,
      { usageTotalUsd: null, chargedEventCounts: null },
      20,
      0.5,
      false,
    ],
    ['never more by such an estimate than the provider may charge', byEvent, {}, 1_000_000, 2.1, false],
    [
      'without the items beyond those that were asked for',
      byEvent,
      { usageTotalUsd: 2.5, chargedEventCounts: { start: 1, row: 120 } },
      null,
      2.1,
      true,
    ],
    ['the items of an actor paid by the result', byItem, {}, 7, 0.07, true],
    ['no more items than may be charged', byItem, {}, 5_000, 1, true],
    [
      'the compute units of a free actor without a number',
      undefined,
      { stats: { computeUnits: 0.5 } },
      null,
      0.2,
      false,
    ],
    [
      'its time and memory without those',
      undefined,
      { startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T01:00:00Z' },
      null,
      0.4,
      false,
    ],
  ])('is %s', (_name, pricing, given, items, usd, isFinal) => {
    const found = cost(pricing, given, items)
    expect(found.usd).toBeCloseTo(usd, 9)
    expect(found.isFinal).toBe(isFinal)
  })
})

test('a tiered price is described by its highest tier', () => {
  expect(describeActorPricing(byEvent)).toMatchObject({ pricePerItemUsd: 0.02, pricePerStartUsd: 0.1 })
})
