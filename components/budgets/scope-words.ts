import { count } from '../keys/summary'
import { PRODUCT_LABELS } from '../usage/receipt-labels'
import type { ShownBudget } from './shape'

/** Which calls a budget counts, in a few words each; none: every call. */
export function scopeWords({
  keys,
  members,
  tags,
  customers,
  products,
  tools,
  models,
}: ShownBudget['scope']): string[] {
  return [
    ...(products ? [products.map((product) => PRODUCT_LABELS[product]).join(', ')] : []),
    ...(tools ? [tools.join(', ')] : []),
    ...(models ? [models.join(', ')] : []),
    ...(tags ? [`keys tagged ${tags.join(', ')}`] : []),
    ...(keys ? [count(keys.length, 'key')] : []),
    ...(members ? [count(members.length, 'member')] : []),
    ...(customers === 'each' ? ['each customer'] : []),
    ...(Array.isArray(customers)
      ? [customers.length > 3 ? count(customers.length, 'customer') : customers.join(', ')]
      : []),
  ]
}
