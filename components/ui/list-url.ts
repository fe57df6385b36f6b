/** Parameters that say where in a list one is, and what of it is open: another list begins anew. */
const PLACES = ['cursor', 'page', 'receipt']

/**
 * The URL of a list with other filters or another order, at its beginning; null and an empty text
 * remove a parameter.
 */
export function listUrl(path: string, params: URLSearchParams, set: Record<string, string | null>): string {
  const next = new URLSearchParams(params)
  for (const name of PLACES) next.delete(name)
  for (const [name, value] of Object.entries(set)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  const query = next.toString()
  return query ? `${path}?${query}` : path
}
