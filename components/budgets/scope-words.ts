import { count } from '../keys/summary'
import { PRODUCTS, type ShownBudget } from './shape'

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
    ...(products ? [products.map((product) => PRODUCTS[product]).join(', ')] : []),
    ...(tools ? [tools.join(', ')] : []),
    ...(models ? [models.join(', ')] : []),
    ...(tags ? [`keys tagged ${tags.join(', ')}`] : []),
    ...(keys ? [count(keys.length, 'key')] : []),
    ...(members ? [count(members.length, 'member')] : []),
    ...(customers === 'each' ? ['each customer'] : []),
    ...(Array.isArray(customers)
      ? [customers.length > 3 ? `${customers.length} customers` : customers.join(', ')]
      : []),
  ]
}
