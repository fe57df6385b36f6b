'use client'

import { useQuery } from '@tanstack/react-query'
import type { CreditBalance } from '@/server/credits/shape'
import { useTRPC } from '../trpc'
import { Credits } from '../ui/amount'
import { Meter } from '../ui/meter'

/**
 * The available and held credits, always visible; refreshed every 15 s while the page is visible.
 */
export function BalanceMeter({ first }: { first: CreditBalance }) {
  const trpc = useTRPC()
  const { data } = useQuery(
    trpc.overview.balance.queryOptions(undefined, { initialData: first, refetchInterval: 15_000, staleTime: 5_000 }),
  )
  const { available, held } = data
  return (
    <div className="flex items-center gap-3" data-testid="balance">
      <Meter label="Balance" whole={available + held} reserved={held} className="w-24 max-[360px]:hidden max-sm:w-10" />
      <span className="text-table">
        <Credits value={available} className="font-semibold" /> <span className="text-muted">credits</span>
        {held > 0 && (
          <span className="text-warn" title="Reserved by calls in progress; what they do not use is released">
            {' '}
            + <Credits value={held} /> reserved
          </span>
        )}
      </span>
    </div>
  )
}
