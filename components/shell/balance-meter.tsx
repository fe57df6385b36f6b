'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
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
    <Link
      href="/credits"
      prefetch={false}
      title="Credits"
      className="grid gap-1 sm:flex sm:items-center sm:gap-3"
      data-testid="balance"
    >
      <Meter label="Balance" whole={available + held} reserved={held} className="max-sm:order-1 max-sm:h-1 sm:w-24" />
      <span className="text-table">
        <Credits value={available} className="font-semibold" />{' '}
        <span className="text-muted max-[430px]:sr-only">credits</span>
        {held > 0 && (
          <span className="text-warn" title="Reserved by calls in progress; what they do not use is released">
            {' '}
            + <Credits value={held} /> <span className="max-[430px]:sr-only">reserved</span>
          </span>
        )}
      </span>
    </Link>
  )
}
