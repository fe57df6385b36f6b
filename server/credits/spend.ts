import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statement } from '../kit/statement'

const DAY_MS = 86_400_000

export type SpendSum = { charged: number; calls: number }

/**
 * An owner's spending over some days, in credits and calls, summed each way a page shows it.
 * `keyId` 0: no key.
 */
export type Spend = {
  byDayAndProduct: (SpendSum & { day: string; product: string })[]
  byDayAndKey: (SpendSum & { day: string; keyId: number })[]
  byWhat: (SpendSum & { what: string })[]
}

const SPEND = statement({
  name: 'spend_over_days',
  sql: `SELECT to_char(day, 'YYYY-MM-DD') AS day, product, key_id, what, sum(charged) AS charged, sum(calls) AS calls
    FROM usage_day WHERE owner_id = $1 AND day >= $2::date AND calls > 0
    GROUP BY GROUPING SETS ((day, product), (day, key_id), (what)) ORDER BY day`,
  params: ['int', 'date'],
  columns: { day: 'text?', product: 'text?', key_id: 'int?', what: 'text?', charged: 'numeric', calls: 'numeric' },
})
// From one name to the next in the index, however many receipts each has.
const NAMES = statement({
  name: 'spend_called_names',
  sql: `WITH RECURSIVE name AS (
      SELECT (SELECT what FROM receipt WHERE owner_id = $1 ORDER BY what LIMIT 1) AS what
      UNION ALL
      SELECT (SELECT r.what FROM receipt r WHERE r.owner_id = $1 AND r.what > name.what ORDER BY r.what LIMIT 1)
      FROM name WHERE name.what IS NOT NULL
    ) SELECT what FROM name WHERE what IS NOT NULL ORDER BY what`,
  params: ['int'],
  columns: { what: 'text' },
})

/** An owner's spending over the last `days` UTC days, today included. */
export async function spendOverDays(ownerId: number, days: number, options?: ReadOptions): Promise<Spend> {
  const rows = await runRead(SPEND, [ownerId, lastDays(days)[0] ?? null], options)
  const spend: Spend = { byDayAndProduct: [], byDayAndKey: [], byWhat: [] }
  for (const { day, product, key_id: keyId, what, ...sums } of rows) {
    const sum = { charged: Number(sums.charged), calls: Number(sums.calls) }
    if (what !== null) spend.byWhat.push({ what, ...sum })
    else if (day !== null && product !== null) spend.byDayAndProduct.push({ day, product, ...sum })
    else if (day !== null && keyId !== null) spend.byDayAndKey.push({ day, keyId, ...sum })
  }
  return spend
}

/** The last `days` UTC days, oldest first, as YYYY-MM-DD. */
export const lastDays = (days: number, now = new Date()): string[] =>
  Array.from({ length: days }, (_, i) => new Date(now.getTime() - (days - 1 - i) * DAY_MS).toISOString().slice(0, 10))

/** Tool and model ids an owner has called, for a filter's choices. */
export async function calledNames(ownerId: number, options?: ReadOptions): Promise<string[]> {
  const rows = await runRead(NAMES, [ownerId], options)
  return rows.map((row) => row.what)
}
