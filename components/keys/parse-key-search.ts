import { z } from 'zod'
import { KeyFilter, KeySearch } from '@/server/keys/shape'
import { type ListSearchParams, textParams } from '../ui/list-url'

/** The URL parameters of the list of keys. An invalid value is ignored. */
const Query = z.object({
  q: KeyFilter.shape.q.catch(''),
  state: KeyFilter.shape.state.catch(undefined),
  tag: KeyFilter.shape.tag.catch(undefined),
  sort: KeySearch.shape.sort.catch('created'),
  order: KeySearch.shape.order.catch('desc'),
  cursor: z.string().optional().catch(undefined),
})

/** What the URL of the list of keys asks for. */
export const parseKeySearch = (params: ListSearchParams): z.infer<typeof Query> => Query.parse(textParams(params))
