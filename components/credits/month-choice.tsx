'use client'

import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { Button } from '../ui/button'
import { Input } from '../ui/field'

/** Narrows the statement to a month. */
export function MonthChoice({ month }: { month: string | undefined }) {
  const router = useRouter()
  const [busy, start] = useTransition()
  const go = (to: string) => start(() => router.push(to ? `/credits?month=${to}` : '/credits', { scroll: false }))
  return (
    <div className="flex items-center gap-2" aria-busy={busy}>
      <Input
        type="month"
        aria-label="Month"
        key={month}
        defaultValue={month ?? ''}
        onChange={({ target }) => go(target.value)}
        className="h-8 w-36"
      />
      {month && (
        <Button kind="quiet" size="small" onClick={() => go('')}>
          All months
        </Button>
      )}
    </div>
  )
}
