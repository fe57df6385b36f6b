'use client'

import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { dayIn } from '../ui/end-of-day'
import { Select } from '../ui/field'
import { useTimeZone } from '../ui/time-zone'
import { monthName, monthsUntil } from './months'

/** Months that are offered, the present one included. */
const OFFERED = 24

/** Narrows the statement to a month. `month`: the one that is shown, YYYY-MM. */
export function MonthChoice({ month }: { month: string | undefined }) {
  const router = useRouter()
  const [busy, start] = useTransition()
  const today = dayIn(new Date().toISOString(), useTimeZone())
  const offered = monthsUntil(today.slice(0, 7), OFFERED)
  const isOther = month !== undefined && !offered.includes(month)
  return (
    <Select
      aria-label="Month"
      aria-busy={busy}
      className="h-8 w-44"
      value={month ?? ''}
      onChange={({ target: { value } }) =>
        start(() => router.push(value ? `/credits?month=${value}` : '/credits', { scroll: false }))
      }
    >
      <option value="">All months</option>
      {[...offered, ...(isOther ? [month] : [])].map((one) => (
        <option key={one} value={one}>
          {monthName(one)}
        </option>
      ))}
    </Select>
  )
}
