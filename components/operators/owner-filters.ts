import { OwnersPage } from '@/server/operators/shape'
import { type ListSearchParams, textParam } from '../ui/list-url'

const { shape } = OwnersPage

/** The search, filter and order in URL parameters. An invalid value is ignored. */
export const parseOwnerFilters = (params: ListSearchParams) => ({
  search: shape.search.catch(undefined).parse(textParam(params, 'q')),
  state: shape.state.catch(undefined).parse(textParam(params, 'state')),
  sort: shape.sort.catch('created').parse(textParam(params, 'sort')),
  order: shape.order.catch('desc').parse(textParam(params, 'order')),
})
