import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PriceInfo } from './shape'
import { useSettled, useUnchanged } from './use-settled'

const PRICE = 'price'

/** How long typing must pause before the price is asked for again. */
const PAUSE_MS = 350
/** A balance changes meanwhile. */
const FRESH_MS = 15_000

type Asked<R, P> = {
  /** What is priced, such as a tool's id. */
  of: string
  /** The request; null: nothing can be priced yet. */
  request: R | null
  /** Asks the server; null: it would refuse such a request. */
  ask: (request: R) => Promise<P | null>
  /** What the server said for the first request when it made the page. */
  first?: P | null
}

export type PriceState<R, P> = {
  /** The latest known price, also while a newer one is on its way. */
  price: P | undefined
  /** True while it belongs to another request than the present one. */
  isOld: boolean
  /** The price of exactly this request; null: the server would refuse it. */
  priceOf: (request: R) => Promise<P | null>
  /** Forgets what balances said, after something was spent. */
  refresh: () => void
}

/** The price of a request that is being written. */
export function usePrice<R, P extends PriceInfo>({ of, request: given, ask, first }: Asked<R, P>): PriceState<R, P> {
  const queries = useQueryClient()
  const request = useUnchanged(given)
  const settled = useSettled(request, PAUSE_MS)
  const options = (asked: R | null) => ({
    queryKey: [PRICE, of, asked],
    queryFn: () => (asked === null ? null : ask(asked)),
    staleTime: FRESH_MS,
    gcTime: 60_000,
    retry: false,
  })
  const { data, isPlaceholderData, isError } = useQuery({
    ...options(settled),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
  })
  return {
    price: isError || data === null ? undefined : (data ?? first ?? undefined),
    isOld: isPlaceholderData || settled !== request,
    priceOf: (asked) => queries.fetchQuery(options(asked)).catch(() => null),
    refresh: () => void queries.invalidateQueries({ queryKey: [PRICE] }),
  }
}
