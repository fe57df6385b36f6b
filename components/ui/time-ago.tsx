import { cn } from './cn'

const STEPS: [limit: number, seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 1, 'second'],
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [30 * 86_400, 86_400, 'day'],
  [365 * 86_400, 30 * 86_400, 'month'],
  [Number.POSITIVE_INFINITY, 365 * 86_400, 'year'],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

/** A relative time: "3 min. ago", "in 2 days", "now". */
export function formatRelativeTime(at: Date, now = new Date()): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000)
  if (Math.abs(seconds) < 5) return 'now'
  const step = STEPS.find(([limit]) => Math.abs(seconds) < limit)
  return step ? relative.format(Math.trunc(seconds / step[1]), step[2]) : at.toISOString()
}

/** An exact time, UTC, to the second. */
export const formatExactTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`

/**
 * A relative time with the exact one on hover. The text may differ when the browser hydrates it.
 */
export const TimeAgo = ({ at, className }: { at: string; className?: string }) => (
  <time
    dateTime={at}
    title={formatExactTime(at)}
    className={cn('whitespace-nowrap', className)}
    suppressHydrationWarning
  >
    {formatRelativeTime(new Date(at))}
  </time>
)

/** A duration with its unit. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
