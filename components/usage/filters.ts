import type {
  CallChannel,
  CallFilter,
  OutcomeFilter,
  Product,
  UsageBreakdown,
  UsageRange,
} from '@/server/credits/shape'

/** Which calls the usage page shows, and how: its URL parameters. */
export type UsageFilters = {
  range?: UsageRange | 'all'
  from?: string
  to?: string
  keyId?: number
  what?: string
  channel?: CallChannel
  product?: Product
  status?: OutcomeFilter
  job?: string
  customer?: string
  /** What was typed to find one call. */
  q?: string
  by?: UsageBreakdown
  group?: 'job'
}

/** The days that are shown when none are asked for. */
const DEFAULT_RANGE: UsageRange = '30d'

/** The days that filters mean. One who looks for a job or an id does not think of days. */
export function rangeOf({ range, from, to, job, q }: UsageFilters): UsageRange | 'all' | 'own' {
  if (from || to) return 'own'
  return range ?? (job || q ? 'all' : DEFAULT_RANGE)
}

/** The service's filter. */
export function callFilterOf(filters: UsageFilters): CallFilter {
  const range = rangeOf(filters)
  const { keyId, what, channel, product, status, job, customer } = filters
  return {
    keyId,
    what,
    channel,
    product,
    outcome: status,
    jobId: job,
    customer,
    ...(range === 'own' ? { from: filters.from, to: filters.to } : range === 'all' ? {} : { range }),
  }
}

/** True where the filters leave out some calls of their days. */
export const isFiltered = (filters: UsageFilters): boolean => countFilters(filters) > 0 || filters.q !== undefined

/** How many filters are set, days and the search for one call aside. */
export const countFilters = ({ keyId, what, channel, product, status, job, customer }: UsageFilters): number =>
  [keyId, what, channel, product, status, job, customer].filter((value) => value !== undefined).length

/**
 * The time of which refused requests are counted beside calls: the present days, of all of them or
 * of one key. Null for other days, and where filters leave calls out.
 */
export function refusalRangeOf(filters: UsageFilters): 'day' | 'week' | 'month' | null {
  const { keyId: _, ...others } = filters
  if (isFiltered(others)) return null
  const range = rangeOf(filters)
  if (range === 'today') return 'day'
  if (range === '7d') return 'week'
  return range === '30d' ? 'month' : null
}
