import type { CallFilter, UsageRange, UsageTotals } from './shape'

const DAY_MS = 86_400_000

/** The day it is in a time zone, YYYY-MM-DD. */
export const localDayOf = (timeZone: string, now = new Date()): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)

/** The day some days later, or before. */
export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

const FIRST_DAY: Record<UsageRange, (today: string) => string> = {
  today: (today) => today,
  '7d': (today) => plusDays(today, -6),
  '30d': (today) => plusDays(today, -29),
  month: (today) => `${today.slice(0, 8)}01`,
}

/** The days that a filter means, in a time zone. */
export function daysOf(
  { range, from, to }: Pick<CallFilter, 'range' | 'from' | 'to'>,
  timeZone: string,
  now = new Date(),
): { from?: string; to?: string } {
  if (range === undefined) return { from, to }
  const today = localDayOf(timeZone, now)
  return { from: FIRST_DAY[range](today), to: today }
}

/** What a clock in a time zone shows: YYYY-MM-DDTHH:MM. */
const localClockOf = (timeZone: string, now = new Date()): string =>
  `${localDayOf(timeZone, now)}T${new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(now)}`

/** Parts of some days, as the zone's clock shows their begins and the end: YYYY-MM-DDTHH:MM. */
export type UsageBuckets = { unit: UsageTotals['unit']; begins: string[]; end: string }

const NEXT: Record<UsageTotals['unit'], (at: Date) => number> = {
  hour: (at) => at.getTime() + DAY_MS / 24,
  day: (at) => at.getTime() + DAY_MS,
  week: (at) => at.getTime() + 7 * DAY_MS,
  month: (at) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1),
}

/**
 * How finely totals of some days are shown: some dozens of buckets, without those that have not
 * begun in the time zone.
 */
export function bucketsOf({ from, to, timeZone }: { from: string; to: string; timeZone: string }): UsageBuckets {
  const first = Date.parse(`${from}T00:00Z`)
  const end = Date.parse(`${to}T00:00Z`) + DAY_MS
  const days = (end - first) / DAY_MS
  const unit = days <= 2 ? 'hour' : days <= 93 ? 'day' : days <= 366 ? 'week' : 'month'
  const text = (at: number) => new Date(at).toISOString().slice(0, 16)
  const now = localClockOf(timeZone)
  const begins: string[] = []
  for (let at = first; at < end; at = NEXT[unit](new Date(at))) begins.push(text(at))
  const begun = begins.filter((begin) => begin <= now)
  return { unit, begins: begun.length > 0 ? begun : begins, end: text(end) }
}
