import { z } from 'zod'
import { KeyFilter, KeySearch } from '@/server/keys/shape'

/** The URL parameters of the list of keys. An invalid value is ignored. */
const Query = z.object({
  q: KeyFilter.shape.q.catch(''),
  state: KeyFilter.shape.state.catch(undefined),
  tag: KeyFilter.shape.tag.catch(undefined),
  sort: KeySearch.shape.sort.catch('created'),
  order: KeySearch.shape.order.catch('desc'),
  cursor: z.string().optional().catch(undefined),
})

export type KeySearchParams = Record<string, string | string[] | undefined>

/** What the URL of the list of keys asks for. */
export const parseKeySearch = (params: KeySearchParams): z.infer<typeof Query> =>
  Query.parse(Object.fromEntries(Object.entries(params).filter(([, value]) => value !== '')))
