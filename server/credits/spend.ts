import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statement } from '../kit/statement'
import type { UsageTotals } from './shape'
import { bucketsOf, localDayOf, plusDays } from './usage-range'
import { sumUsage } from './usage-sums'
import { makeUsageSeries, readUsageTotals } from './usage-totals'

/** An owner's spending over some days, in credits and calls, summed each way a page shows it. */
export type Spend = {
  days: string[]
  byProduct: UsageTotals['series']
  byKey: UsageTotals['series']
  /** Most credits first. */
  byWhat: { what: string; charged: number; calls: number }[]
}

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

/** An owner's spending over the last `days` days (3 to 93) of a time zone, today included. */
export async function spendOverDays(
  ownerId: number,
  { days, timeZone }: { days: number; timeZone: string },
  options?: ReadOptions,
): Promise<Spend> {
  const today = localDayOf(timeZone)
  const from = plusDays(today, 1 - days)
  const filter = { timeZone, from, to: today }
  const buckets = bucketsOf(filter)
  const every = sumUsage({ ownerId, filter, group: 'what', keys: null, buckets }, options)
  const [byKey, sums] = await Promise.all([
    readUsageTotals(ownerId, { filter, by: 'key', today, isTool: () => false, every }, options),
    every,
  ])
  const products = sums.map((sum) => {
    const product = sum.group.slice(0, sum.group.indexOf(' '))
    return { ...sum, id: product, name: product }
  })
  const called = Map.groupBy(sums, ({ group }) => group.slice(group.indexOf(' ') + 1))
  const byWhat = [...called].map(([what, of]) => ({
    what,
    charged: of.reduce((sum, { charged }) => sum + charged, 0),
    calls: of.reduce((sum, { calls }) => sum + calls, 0),
  }))
  return {
    days: buckets.begins,
    byProduct: makeUsageSeries(products, { all: sums, length: buckets.begins.length }),
    byKey: byKey.series,
    byWhat: byWhat.sort((a, b) => b.charged - a.charged || b.calls - a.calls),
  }
}

/** Tool and model ids an owner has called, for a filter's choices. */
export async function calledNames(ownerId: number, options?: ReadOptions): Promise<string[]> {
  const rows = await runRead(NAMES, [ownerId], options)
  return rows.map((row) => row.what)
}
