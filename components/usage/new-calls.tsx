'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import type { CallFilter } from '@/server/credits/shape'
import { useTRPC } from '../trpc'
import { formatCredits } from '../ui/amount'
import { Button } from '../ui/button'

const LOOK_MS = 10_000
const MAX_COUNTED = 100

/** `newest`: the request id of the list's first call. */
type Props = { filter: CallFilter; newest: string | undefined }

/**
 * Says how many calls there are since the list was loaded, and shows them when asked to: rows never
 * move by themselves.
 */
export function NewCalls({ filter, newest }: Props) {
  const router = useRouter()
  const [busy, start] = useTransition()
  const { data } = useQuery(
    useTRPC().usage.newer.queryOptions({ ...filter, than: newest, max: MAX_COUNTED }, { refetchInterval: LOOK_MS }),
  )
  const count = data?.count ?? 0
  return (
    <p aria-live="polite" className="min-h-7">
      {count > 0 && (
        <Button size="small" busy={busy} onClick={() => start(() => router.refresh())}>
          Show {count >= MAX_COUNTED ? `more than ${MAX_COUNTED - 1}` : formatCredits(count)} new{' '}
          {count === 1 ? 'call' : 'calls'}
        </Button>
      )}
    </p>
  )
}
