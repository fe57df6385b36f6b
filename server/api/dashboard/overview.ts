import { z } from 'zod'
import { mayAs, type Role } from '../../accounts/shape'
import { getTimeZone } from '../../accounts/time-zone'
import { dismissFailures } from '../../agent/jobs/waiting'
import { readAccountLimits } from '../../credits/account-limits'
import { getBalance } from '../../credits/balance'
import { paceOf, readRecentSpend } from '../../credits/pace'
import { listReceipts } from '../../credits/receipts'
import { CallReceipt, CreditBalance, DayLimit, Pace, type UsageTotals } from '../../credits/shape'
import { spendOverDays } from '../../credits/spend'
import { listKeys } from '../../keys/list'
import { NOT_AUDITED } from '../operation-meta'
import { memberProcedure, router } from '../trpc'
import { balanceNeeds, dayLimitNeeds, Need, readNeeds } from './needs'

const DAYS = 30
const Series = z.object({ name: z.string(), values: z.array(z.int()).describe('Credits, one per day') })

const Overview = z.object({
  balance: CreditBalance.nullable().describe('null: not for this role'),
  dailyLimit: DayLimit.nullable().describe('What the account may spend a day; null: no limit'),
  perDay: z.object({
    days: z.array(z.string()),
    timeZone: z.string(),
    byProduct: z.array(Series),
    byKey: z.array(Series),
  }),
  pace: Pace.nullable().describe('How long the balance lasts; null: not for this role'),
  topKeys: z.array(z.object({ id: z.int(), name: z.string(), charged: z.int(), calls: z.int() })),
  topTools: z.array(z.object({ what: z.string(), charged: z.int(), calls: z.int() })),
  attention: z.array(Need),
  hasKey: z.boolean().describe('The owner has made a key'),
  recent: z.array(CallReceipt),
})

type UsageSeries = UsageTotals['series']

/** The daily sums of a breakdown, as rows of a chart. */
const rowsOf = (series: UsageSeries) => series.map(({ name, values }) => ({ name, values }))

type Reader = { owner: number; role: Role; signal: AbortSignal }

async function overviewOf({ owner, role, signal }: Reader): Promise<z.infer<typeof Overview>> {
  const timeZone = await getTimeZone(owner)
  const seesBilling = mayAs(role, 'billing')
  const [balance, { day }, lately, spend, recent, needs, keys] = await Promise.all([
    getBalance(owner),
    readAccountLimits(owner),
    seesBilling ? readRecentSpend(owner, { signal }) : null,
    spendOverDays(owner, { days: DAYS, timeZone }, { signal }),
    listReceipts(owner, { limit: 8 }, { signal }),
    readNeeds(owner, signal),
    listKeys(owner, { limit: 1 }),
  ])
  const pace = lately && paceOf(balance.available, lately)
  return {
    balance: seesBilling ? balance : null,
    dailyLimit: seesBilling ? day : null,
    perDay: {
      days: spend.days,
      timeZone,
      byProduct: rowsOf(spend.byProduct),
      byKey: rowsOf(spend.byKey),
    },
    pace,
    // Neither calls without a key nor the sum of the smaller ones.
    topKeys: spend.byKey
      .filter(({ id }) => id !== null && id !== '0')
      .slice(0, 5)
      .map(({ id, name, charged, calls }) => ({ id: Number(id), name, charged, calls })),
    topTools: spend.byWhat.slice(0, 5),
    attention: [...(pace ? [...balanceNeeds(balance.available, pace), ...dayLimitNeeds(day)] : []), ...needs],
    hasKey: keys.rows.length > 0,
    recent: recent.rows,
  }
}

export const overviewRouter = router({
  get: memberProcedure('viewer')
    .output(Overview)
    .query(({ ctx }) => overviewOf(ctx)),
  balance: memberProcedure('billing')
    .output(CreditBalance)
    .query(({ ctx }) => getBalance(ctx.owner)),
  pace: memberProcedure('billing')
    .output(Pace)
    .query(async ({ ctx }) => {
      const [{ available }, lately] = await Promise.all([
        getBalance(ctx.owner),
        readRecentSpend(ctx.owner, { signal: ctx.signal }),
      ])
      return paceOf(available, lately)
    }),
  /** Takes the failed webhooks of a receiver off the overview. */
  dismissWebhooks: memberProcedure('developer')
    .meta(NOT_AUDITED)
    .input(z.strictObject({ host: z.string().max(300) }))
    .mutation(async ({ ctx, input }) => {
      await dismissFailures(ctx.owner, input.host)
    }),
})
