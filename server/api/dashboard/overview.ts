import { z } from 'zod'
import { listJobs } from '../../agent/list'
import type { JobRow } from '../../agent/shape'
import { getBalance } from '../../credits/balance'
import { listReceipts } from '../../credits/receipts'
import { Balance, Receipt } from '../../credits/shape'
import { lastDays, type Spend, spendByDay } from '../../credits/spend'
import { listKeys } from '../../keys/list'
import type { KeyView } from '../../keys/shape'
import { ownerProcedure, router } from '../trpc'

const DAYS = 30
const Series = z.object({ name: z.string(), values: z.array(z.int()).describe('Credits, one per day') })
const Attention = z.object({ kind: z.enum(['job', 'key_budget', 'balance']), text: z.string(), href: z.string() })

const Overview = z.object({
  balance: Balance,
  perDay: z.object({ days: z.array(z.string()), byProduct: z.array(Series), byKey: z.array(Series) }),
  daysLeft: z.number().nullable().describe('Days the balance lasts at the last week’s pace; null: nothing was spent'),
  topKeys: z.array(z.object({ id: z.int(), name: z.string(), charged: z.int(), calls: z.int() })),
  topTools: z.array(z.object({ what: z.string(), charged: z.int(), calls: z.int() })),
  attention: z.array(Attention),
  recent: z.array(Receipt),
})

/** Sums of credits by a name, most first. */
function totals(spends: readonly Spend[], nameOf: (spend: Spend) => string) {
  const sums = new Map<string, { charged: number; calls: number }>()
  for (const spend of spends) {
    const name = nameOf(spend)
    const { charged, calls } = sums.get(name) ?? { charged: 0, calls: 0 }
    sums.set(name, { charged: charged + spend.charged, calls: calls + spend.calls })
  }
  return [...sums].map(([name, sum]) => ({ name, ...sum })).sort((a, b) => b.charged - a.charged || b.calls - a.calls)
}

/** One row of daily credits per name: the `most` largest, the rest together as "other". */
function series(spends: readonly Spend[], days: readonly string[], nameOf: (spend: Spend) => string, most = 6) {
  const names = totals(spends, nameOf).map((t) => t.name)
  const shown = new Set(names.slice(0, most))
  const place = new Map(days.map((day, i) => [day, i]))
  const rows = new Map([...shown, ...(names.length > most ? ['other'] : [])].map((name) => [name, days.map(() => 0)]))
  for (const spend of spends) {
    const row = rows.get(shown.has(nameOf(spend)) ? nameOf(spend) : 'other')
    const i = place.get(spend.day)
    if (row && i !== undefined) row[i] = (row[i] ?? 0) + spend.charged
  }
  return [...rows].map(([name, values]) => ({ name, values }))
}

/** Days a balance lasts at the pace of the last seven days. */
function daysLeft(available: number, spends: readonly Spend[]): number | null {
  const week = new Set(lastDays(7))
  const spent = spends.filter((s) => week.has(s.day)).reduce((sum, s) => sum + s.charged, 0)
  return spent === 0 ? null : Math.round((available / (spent / 7)) * 10) / 10
}

/** What an owner should look at: jobs that wait, budgets nearly gone, a balance that ends within three days. */
function attention(
  waiting: readonly JobRow[],
  keys: readonly KeyView[],
  { available, left }: { available: number; left: number | null },
): z.infer<typeof Attention>[] {
  const low = keys.filter((k) => k.state === 'active' && k.budget !== null && (k.remaining ?? 0) < k.budget / 10)
  return [
    ...waiting.map(({ jobId, title }) => ({
      kind: 'job' as const,
      text: `A run waits for you: ${title}`,
      href: `/jobs/${jobId}`,
    })),
    ...(available === 0
      ? [{ kind: 'balance' as const, text: 'No credits are left: calls are refused.', href: '/usage' }]
      : []),
    ...(available > 0 && left !== null && left < 3
      ? [{ kind: 'balance' as const, text: `At this pace the balance lasts ${left} days.`, href: '/usage' }]
      : []),
    ...low.map((k) => ({
      kind: 'key_budget' as const,
      text: `${k.name} has ${k.remaining} of ${k.budget} credits left.`,
      href: `/keys/${k.id}`,
    })),
  ]
}

async function overviewOf(owner: number): Promise<z.infer<typeof Overview>> {
  const [balance, spends, keys, recent, waiting] = await Promise.all([
    getBalance(owner),
    spendByDay(owner, DAYS),
    listKeys(owner, { limit: 100 }),
    listReceipts(owner, { limit: 8 }),
    listJobs(owner, { limit: 10, status: 'awaiting_input' }),
  ])
  const days = lastDays(DAYS)
  const names = new Map(keys.rows.map((k) => [k.id, k.name]))
  const keyName = (s: Spend) => (s.keyId === null ? 'dashboard' : (names.get(s.keyId) ?? `key ${s.keyId}`))
  const left = daysLeft(balance.available, spends)
  const keyed = spends.filter((s) => s.keyId !== null)
  return {
    balance,
    perDay: { days, byProduct: series(spends, days, (s) => s.product), byKey: series(spends, days, keyName) },
    daysLeft: left,
    topKeys: totals(keyed, (s) => String(s.keyId))
      .slice(0, 5)
      .map(({ name, ...sum }) => ({ id: Number(name), name: names.get(Number(name)) ?? `key ${name}`, ...sum })),
    topTools: totals(spends, (s) => s.what)
      .slice(0, 5)
      .map(({ name, ...sum }) => ({ what: name, ...sum })),
    attention: attention(waiting.jobs, keys.rows, { available: balance.available, left }),
    recent: recent.rows,
  }
}

export const overview = router({
  get: ownerProcedure.output(Overview).query(({ ctx }) => overviewOf(ctx.owner)),
  balance: ownerProcedure.output(Balance).query(({ ctx }) => getBalance(ctx.owner)),
})
