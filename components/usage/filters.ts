import type { UsageFilter } from '@/server/credits/shape'

/** Which calls are listed: the service's filters, as URL parameters. */
export type UsageFilters = UsageFilter

/** The URL of a page with these filters and further parameters. */
export function urlWithFilters(path: string, filters: UsageFilters, more: Record<string, string> = {}): string {
  const set = Object.entries({ ...filters, ...more }).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()
  return query ? `${path}?${query}` : path
}
