import type { AuditFilter } from '@/server/accounts/shape'

/** The URL of a page with these filters and further parameters. */
export function urlWithAuditFilters(path: string, filters: AuditFilter, more: Record<string, string> = {}): string {
  const set = Object.entries({ ...filters, ...more }).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()
  return query ? `${path}?${query}` : path
}
