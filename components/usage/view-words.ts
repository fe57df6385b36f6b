import { urlWith } from '../ui/list-url'
import { rangeOf, type UsageFilters } from './filters'
import { parseUsageFilters } from './parse-filters'
import { CHANNEL_LABELS, PRODUCT_LABELS } from './receipt-labels'
import { BREAKDOWN_LABELS, OUTCOME_LABELS, RANGE_LABELS } from './usage-labels'

function daysWords(filters: UsageFilters): string {
  const range = rangeOf(filters)
  if (range === 'own') return `${filters.from ?? 'The first day'} to ${filters.to ?? 'today'}`
  return range === 'all' ? 'All days' : RANGE_LABELS[range]
}

/** What the usage page shows with these filters, in a few words. */
export function viewWords(filters: UsageFilters): string {
  const { keyId, what, channel, product, status, job, customer, q, by, group } = filters
  const words = [
    daysWords(filters),
    by && `by ${BREAKDOWN_LABELS[by].toLowerCase()}`,
    group && 'calls of a run as one',
    keyId !== undefined && 'one key',
    what,
    channel && CHANNEL_LABELS[channel],
    product && PRODUCT_LABELS[product],
    status && OUTCOME_LABELS[status],
    job && 'one run',
    customer && `customer ${customer}`,
    q && 'one call',
  ]
  return words.filter(Boolean).join(', ')
}

/** A saved view as the page lists it: where it leads, in words, and whether that is shown now. */
export type ShownView = { name: string; href: string; words: string; isNow: boolean }

/** An address in which the order of parameters says nothing. */
function addressOf(filters: UsageFilters): string {
  const query = new URLSearchParams(urlWith('', filters))
  query.sort()
  return query.toString()
}

/** Saved views, each with what of its query the page understands. */
export function shownViews(views: readonly { name: string; query: string }[], now: UsageFilters): ShownView[] {
  const here = addressOf(now)
  return views.map(({ name, query }) => {
    const filters = parseUsageFilters(Object.fromEntries(new URLSearchParams(query)))
    return { name, href: urlWith('/usage', filters), words: viewWords(filters), isNow: addressOf(filters) === here }
  })
}
