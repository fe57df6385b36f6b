'use client'

import { cn } from './cn'
import { formatExactTime, formatRelativeTime } from './format-time'
import { useTicking } from './ticking'
import { useTimeZone } from './time-zone'

type Props = { at: string; className?: string }

/** A relative time that follows the clock; on hover the exact one in the owner’s zone. */
export function TimeAgo({ at, className }: Props) {
  const text = useTicking((now) => formatRelativeTime(new Date(at), new Date(now)))
  const exact = formatExactTime(at, useTimeZone())
  return (
    <time dateTime={at} title={exact} className={cn('whitespace-nowrap', className)} suppressHydrationWarning>
      {text}
    </time>
  )
}

/** An exact time, to the second, in the owner's zone. */
export function ExactTime({ at, className }: Props) {
  const exact = formatExactTime(at, useTimeZone())
  return (
    <time dateTime={at} className={cn('num', className)} suppressHydrationWarning>
      {exact}
    </time>
  )
}
