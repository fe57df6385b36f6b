import { log } from '../../kit/log'
import { isRecord } from '../../kit/record'

/** A vendor's number is believed up to so many times the registry's price, and always up to so many dollars. */
const BELIEVED = { factor: 20, usd: 1 }

const amount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null

/**
 * USD a vendor's `usage` says a call cost, or null when it says nothing. With a key of our own at the model's maker
 * (`is_byok`) `cost` is the router's fee only, and the maker's price stands beside it.
 */
export function reportedCostUsd(usage: unknown): number | null {
  if (!isRecord(usage)) return null
  const cost = amount(usage.cost)
  if (usage.is_byok !== true) return cost
  const own = isRecord(usage.cost_details) ? amount(usage.cost_details.upstream_inference_cost) : null
  return own === null ? null : own + (cost ?? 0)
}

/** What a call cost: the vendor's number, else the table's. A number beyond all reason is logged and not used. */
export function actualCostUsd(told: number | null, tableUsd: number, modelId: string): number {
  if (told === null) return tableUsd
  if (told <= Math.max(BELIEVED.usd, tableUsd * BELIEVED.factor)) return told
  log.error(
    { model: modelId, told, tableUsd },
    'a provider named a cost beyond belief; the registry’s price is charged',
  )
  return tableUsd
}
