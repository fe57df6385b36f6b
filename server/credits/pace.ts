import type { ReadOptions } from '../kit/pg-read'
import type { Pace } from './shape'
import { sumUsage } from './usage-sums'

const HOUR_MS = 3_600_000
const DAYS = 7

/** The hours that count where they cost more than the days before. */
const LATEST_HOURS = 3

/** How often what the days cost the latest hours must cost to be the pace. */
const JUMP = 2

/**
 * `perDay`: credits of the last days, each of 24 hours, oldest first, the latest hours included.
 * `latest`: of those hours.
 */
type RecentSpend = { perDay: readonly number[]; latest: number }

/** How long credits last, at the pace of seven days or of the latest hours that cost more. */
export function paceOf(available: number, { perDay, latest }: RecentSpend): Pace {
  const begun = perDay.findIndex((credits) => credits > 0)
  if (begun === -1) return { daysLeft: null, of: 'unused' }
  const spent = perDay.reduce((sum, credits) => sum + credits, 0)
  // Minutes of use say nothing about days.
  if (spent === latest) return { daysLeft: null, of: 'new' }
  const usual = spent / (perDay.length - begun)
  const now = (latest / LATEST_HOURS) * 24
  const isJump = now > JUMP * usual
  return { daysLeft: Math.round((available / (isJump ? now : usual)) * 100) / 100, of: isJump ? 'hours' : 'days' }
}

/** What an owner spent in the last days, oldest first, and in the latest hours of them. */
export async function readRecentSpend(ownerId: number, options?: ReadOptions): Promise<RecentSpend> {
  const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * HOUR_MS).toISOString().slice(0, 16)
  const days = Array.from({ length: DAYS }, (_, day) => (DAYS - day) * 24)
  const buckets = { unit: 'hour' as const, begins: [...days, LATEST_HOURS].map(at), end: at(-1) }
  const sums = await sumUsage({ ownerId, filter: { timeZone: 'UTC' }, group: 'nothing', keys: null, buckets }, options)
  const spentIn = (bucket: number) => sums.find((sum) => sum.bucket === bucket)?.charged ?? 0
  const latest = spentIn(DAYS)
  const perDay = days.map((_, day) => spentIn(day) + (day === DAYS - 1 ? latest : 0))
  return { perDay, latest }
}
