/** The parameters of a page as Next gives them. */
export type ListSearchParams = Record<string, string | string[] | undefined>

/** Parameters that say where in a list one is, and what of it is open: another list begins anew. */
const PLACES = ['cursor', 'page', 'receipt']

const withQuery = (path: string, query: URLSearchParams): string => (query.size > 0 ? `${path}?${query}` : path)

/** The parameters that are one text which is not empty. */
export const textParams = (params: ListSearchParams): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => (typeof value === 'string' && value ? [[name, value]] : [])),
  )

/** A parameter's text; undefined where it is missing, empty or repeated. */
export const textParam = (params: ListSearchParams, name: string): string | undefined => textParams(params)[name]

/** A parameter that is the id of a row; undefined where it is anything else. */
export function idParam(params: ListSearchParams, name: string): number | undefined {
  const text = textParam(params, name) ?? ''
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

/** The URL of a page with these parameters; those without a value are left out. */
export function urlWith(path: string, params: object, more: object = {}): string {
  const set = Object.entries({ ...params, ...more }).filter(([, value]) => value !== undefined && value !== '')
  return withQuery(path, new URLSearchParams(set.map(([name, value]) => [name, String(value)])))
}

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
  return withQuery(path, next)
}

/** The same list at another place; null: at its beginning. */
export const listAt = (path: string, params: ListSearchParams, cursor: string | null): string =>
  listUrl(path, new URLSearchParams(textParams(params)), { cursor })
