import { OwnersPage } from '@/server/operators/shape'

const { shape } = OwnersPage

export type ListSearchParams = Record<string, string | string[] | undefined>

/** A parameter's text; undefined where it is missing, empty or repeated. */
export const textParam = (params: ListSearchParams, name: string): string | undefined => {
  const value = params[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The search, filter and order in URL parameters. An invalid value is ignored. */
export const parseOwnerFilters = (params: ListSearchParams) => ({
  search: shape.search.catch(undefined).parse(textParam(params, 'q')),
  state: shape.state.catch(undefined).parse(textParam(params, 'state')),
  sort: shape.sort.catch('created').parse(textParam(params, 'sort')),
  order: shape.order.catch('desc').parse(textParam(params, 'order')),
})

/** The same list at another place, or at its beginning. */
export function listAt(path: string, params: ListSearchParams, cursor: string | null): string {
  const given = Object.entries(params).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'cursor' ? [[name, value]] : [],
  )
  const query = new URLSearchParams([...given, ...(cursor ? [['cursor', cursor]] : [])]).toString()
  return query ? `${path}?${query}` : path
}
