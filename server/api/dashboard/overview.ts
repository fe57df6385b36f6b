import { z } from 'zod'
import { getBalance } from '../../credits/balance'
import { listReceipts } from '../../credits/receipts'
import { CallReceipt, CreditBalance } from '../../credits/shape'
import { lastDays, type SpendSum, spendOverDays } from '../../credits/spend'
import { listKeys } from '../../keys/list'
import { readKeyNames } from '../../keys/search'
import { ownerProcedure, router } from '../trpc'
import { balanceNeeds, Need, readNeeds } from './needs'

const DAYS = 30
const Series = z.object({ name: z.string(), values: z.array(z.int()).describe('Credits, one per day') })

const Overview = z.object({
  balance: CreditBalance,
  perDay: z.object({ days: z.array(z.string()), byProduct: z.array(Series), byKey: z.array(Series) }),
  daysLeft: z
    .number()
    .nullable()
    .describe('Days the balance lasts at the rate of the last week; null: nothing was spent'),
  topKeys: z.array(z.object({ id: z.int(), name: z.string(), charged: z.int(), calls: z.int() })),
  topTools: z.array(z.object({ what: z.string(), charged: z.int(), calls: z.int() })),
  attention: z.array(Need),
  hasKey: z.boolean().describe('The owner has made a key'),
  recent: z.array(CallReceipt),
})

/** Most credits first, then most calls. */
const byCredits = (a: SpendSum, b: SpendSum) => b.charged - a.charged || b.calls - a.calls

/** Sums of credits by a name, highest first. */
function totals<S extends SpendSum>(sums: readonly S[], nameOf: (sum: S) => string) {
  const found = new Map<string, SpendSum>()
  for (const sum of sums) {
    const { charged, calls } = found.get(nameOf(sum)) ?? { charged: 0, calls: 0 }
    found.set(nameOf(sum), { charged: charged + sum.charged, calls: calls + sum.calls })
  }
  return [...found].map(([name, sum]) => ({ name, ...sum })).sort(byCredits)
}

/** One row of daily credits per name: the `max` largest, the rest together as "other". */
function series<S extends SpendSum & { day: string }>(
  sums: readonly S[],
  nameOf: (sum: S) => string,
  { days, max = 6 }: { days: readonly string[]; max?: number },
) {
  const names = totals(sums, nameOf).map((t) => t.name)
  const shown = new Set(names.slice(0, max))
  const place = new Map(days.map((day, i) => [day, i]))
  const rows = new Map([...shown, ...(names.length > max ? ['other'] : [])].map((name) => [name, days.map(() => 0)]))
  for (const sum of sums) {
    const row = rows.get(shown.has(nameOf(sum)) ? nameOf(sum) : 'other')
    const i = place.get(sum.day)
    if (row && i !== undefined) row[i] = (row[i] ?? 0) + sum.charged
  }
  return [...rows].map(([name, values]) => ({ name, values }))
}

/** Days a balance lasts at the rate of the last seven days. */
function daysLeft(available: number, sums: readonly (SpendSum & { day: string })[]): number | null {
  const week = new Set(lastDays(7))
  const spent = sums.filter((s) => week.has(s.day)).reduce((sum, s) => sum + s.charged, 0)
  return spent === 0 ? null : Math.round((available / (spent / 7)) * 10) / 10
}

async function overviewOf(owner: number, signal: AbortSignal): Promise<z.infer<typeof Overview>> {
  const [balance, spend, recent, needs, keys] = await Promise.all([
    getBalance(owner),
    spendOverDays(owner, DAYS, { signal }),
    listReceipts(owner, { limit: 8 }, { signal }),
    readNeeds(owner, signal),
    listKeys(owner, { limit: 1 }),
  ])
  const days = lastDays(DAYS)
  const names = await readKeyNames(
    owner,
    spend.byDayAndKey.map(({ keyId }) => keyId),
  )
  const keyName = (id: number) => (id === 0 ? 'dashboard' : (names.get(id) ?? `key ${id}`))
  const left = daysLeft(balance.available, spend.byDayAndProduct)
  const keyed = spend.byDayAndKey.filter((s) => s.keyId !== 0)
  return {
    balance,
    perDay: {
      days,
      byProduct: series(spend.byDayAndProduct, (s) => s.product, { days }),
      byKey: series(spend.byDayAndKey, (s) => keyName(s.keyId), { days }),
    },
    daysLeft: left,
    topKeys: totals(keyed, (s) => String(s.keyId))
      .slice(0, 5)
      .map(({ name, ...sum }) => ({ id: Number(name), name: keyName(Number(name)), ...sum })),
    topTools: spend.byWhat.sort(byCredits).slice(0, 5),
    attention: [...balanceNeeds({ available: balance.available, left }), ...needs],
    hasKey: keys.rows.length > 0,
    recent: recent.rows,
  }
}

export const overviewRouter = router({
  get: ownerProcedure.output(Overview).query(({ ctx }) => overviewOf(ctx.owner, ctx.signal)),
  balance: ownerProcedure.output(CreditBalance).query(({ ctx }) => getBalance(ctx.owner)),
})
