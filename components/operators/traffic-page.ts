import { TrafficPage } from '@/server/operators/shape'
import { type ListSearchParams, textParam } from '../ui/list-url'

const { shape } = TrafficPage

/** The hours and the order in URL parameters. An invalid value is ignored. */
export const parseTrafficPage = (params: ListSearchParams) => ({
  range: shape.range.catch('hour').parse(textParam(params, 'range')),
  sort: shape.sort.catch('requests').parse(textParam(params, 'sort')),
})
