import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statementFamily } from '../kit/statement'
import { dayBounds, type ReceiptFilter, receiptConditions, statementValues } from './receipt-filter'
import type { UsagePace, UsageSum } from './shape'
import { plusDays } from './usage-range'
import { sumUsage } from './usage-sums'
import { sumOfUsage } from './usage-totals'

const DAY_MS = 86_400_000
/** The newest calls of the days, of which durations are taken: no more are read. */
const MAX_MEASURED = 20_000

const durations = statementFamily({
  name: 'receipt_durations',
  columns: { calls: 'int', p50: 'int?', p95: 'int?' },
  samples: () =>
    [{}, { from: '2026-01-01', to: '2026-01-02' }].map((days) => durationQuery(1, { ...days, timeZone: 'UTC' }).text),
})

function durationQuery(ownerId: number, filter: ReceiptFilter) {
  const { values, given } = statementValues()
  const owner = given(ownerId)
  const { since, until } = dayBounds(filter, given)
  const conditions = [
    ...receiptConditions(filter, given, owner),
    ...(since === null ? [] : [`r.at >= ${since}`]),
    ...(until === null ? [] : [`r.at < ${until}`]),
  ]
  const text = `SELECT count(*)::int AS calls, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY d.ms))::int AS p50,
      round(percentile_cont(0.95) WITHIN GROUP (ORDER BY d.ms))::int AS p95
    FROM (SELECT extract(epoch FROM r.at - r.started_at)::float8 * 1000 AS ms FROM receipt r
      WHERE ${conditions.join(' AND ')} ORDER BY r.at DESC, r.id DESC LIMIT ${given(MAX_MEASURED)}) d`
  return { text, values }
}

/** As many days as the filter's, just before them; null where it has no first day. */
function daysBefore({ from, to }: ReceiptFilter, today: string): { from: string; to: string; days: number } | null {
  if (from === undefined) return null
  const days = Math.round((Date.parse(to ?? today) - Date.parse(from)) / DAY_MS) + 1
  return days < 1 ? null : { from: plusDays(from, -days), to: plusDays(from, -1), days }
}

/** What calls of some days came to. */
async function sumDays(
  ownerId: number,
  filter: ReceiptFilter & { from: string; to: string; timeZone: string },
  options?: ReadOptions,
): Promise<UsageSum> {
  const buckets = { unit: 'day' as const, begins: [`${filter.from}T00:00`], end: `${plusDays(filter.to, 1)}T00:00` }
  const keys = filter.keyId === undefined ? null : [filter.keyId]
  return sumOfUsage(await sumUsage({ ownerId, filter, group: 'nothing', keys, buckets }, options))
}

/**
 * What calls of the days before came to, and how long the newest calls of the filter's days took.
 * Milliseconds.
 */
export async function readUsagePace(
  ownerId: number,
  { filter, today }: { filter: ReceiptFilter & { timeZone: string }; today: string },
  options?: ReadOptions,
): Promise<UsagePace> {
  const before = daysBefore(filter, today)
  const { text, values } = durationQuery(ownerId, filter)
  const [[measured], total] = await Promise.all([
    runRead(durations(text), values, options),
    before && sumDays(ownerId, { ...filter, from: before.from, to: before.to }, options),
  ])
  return {
    before: before && total ? { days: before.days, total } : null,
    measured: measured?.calls ?? 0,
    p50Ms: measured?.p50 ?? null,
    p95Ms: measured?.p95 ?? null,
  }
}
