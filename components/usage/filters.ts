import type { UsageFilter } from '@/server/credits/shape'

/** Which calls are listed: the names of the service's own filters, all in the address. */
export type UsageFilters = UsageFilter

/** The address of a page with these filters, and whatever else is given. */
export function urlWithFilters(path: string, filters: UsageFilters, more: Record<string, string> = {}): string {
  const set = Object.entries({ ...filters, ...more }).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()
  return query ? `${path}?${query}` : path
}
