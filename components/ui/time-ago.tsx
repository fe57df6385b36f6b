'use client'

import { cn } from './cn'
import { formatExactTime, formatRelativeTime } from './format-time'
import { useTicking } from './ticking'
import { useTimeZone } from './time-zone'

type Props = { at: string; className?: string }

/** In a row with a link the link has the focus, and nothing inside of a control may have it. */
const isOnItsOwn = (time: HTMLElement) =>
  time.closest('a, button, summary') === null && !time.closest('tr')?.querySelector('a, button')

/** Lets keys and taps reach a time, which then shows the exact one. */
function makeFocusable(time: HTMLElement | null): void {
  if (time && isOnItsOwn(time)) time.tabIndex = 0
}

/**
 * A relative time that follows the clock; on hover, focus or a tap, or while its row has the focus,
 * the exact one in the owner’s zone.
 */
export function TimeAgo({ at, className }: Props) {
  const text = useTicking((now) => formatRelativeTime(new Date(at), new Date(now)))
  const exact = formatExactTime(at, useTimeZone())
  return (
    <time
      ref={makeFocusable}
      dateTime={at}
      title={exact}
      data-exact={exact}
      className={cn('exact-time whitespace-nowrap', className)}
      suppressHydrationWarning
    >
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
