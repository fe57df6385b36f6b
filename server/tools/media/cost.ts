import { log } from '../../kit/log'
import { isRecord } from '../../kit/record'

/**
 * A reported cost is accepted up to this multiple of the registry's price, and always up to this
 * amount.
 */
const ACCEPTED = { factor: 20, usd: 1 }

const amount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null

/**
 * USD that a provider's `usage` reports for a call, or null when it reports nothing. With the
 * operator's own key at the maker of the model (`is_byok`) `cost` is the router's fee only, and the
 * maker's price is in `cost_details`.
 */
export function reportedCostUsd(usage: unknown): number | null {
  if (!isRecord(usage)) return null
  const cost = amount(usage.cost)
  if (usage.is_byok !== true) return cost
  const makerCost = isRecord(usage.cost_details) ? amount(usage.cost_details.upstream_inference_cost) : null
  return makerCost === null ? null : makerCost + (cost ?? 0)
}

/**
 * What a call cost: as reported, else by the registry. A number that cannot be right is logged and
 * ignored.
 */
export function actualCostUsd(reported: number | null, tableUsd: number, modelId: string): number {
  if (reported === null) return tableUsd
  if (reported <= Math.max(ACCEPTED.usd, tableUsd * ACCEPTED.factor)) return reported
  log.error(
    { model: modelId, reported, tableUsd },
    'a provider reported a cost that cannot be right; the registry’s price is charged',
  )
  return tableUsd
}
