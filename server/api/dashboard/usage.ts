import { z } from 'zod'
import { getTimeZone } from '../../accounts/time-zone'
import { agentTools } from '../../agent-tools/registry'
import { getReceipt, listReceipts } from '../../credits/receipts'
import { CallFilter, CallPage, CallReceipt, ReceiptList, UsageBreakdown, UsageTotals } from '../../credits/shape'
import { calledNames } from '../../credits/spend'
import { dayIn, daysOf } from '../../credits/usage-range'
import { readUsageTotals } from '../../credits/usage-totals'
import { availableTools } from '../../tools/registry'
import { ownerProcedure, router } from '../trpc'

/** A filter with the days that it means for an owner now. */
async function withDays<F extends CallFilter>(ownerId: number, { range, from, to, ...filter }: F) {
  const timeZone = await getTimeZone(ownerId)
  return { ...filter, ...daysOf({ range, from, to }, timeZone), timeZone }
}

const isTool = (what: string): boolean => [...availableTools(), ...agentTools()].some(({ id }) => id === what)

export const ownerUsageRouter = router({
  list: ownerProcedure
    .input(CallPage)
    .output(ReceiptList)
    .query(async ({ ctx, input }) =>
      listReceipts(ctx.owner, await withDays(ctx.owner, input), { signal: ctx.signal }),
    ),
  get: ownerProcedure
    .input(z.object({ requestId: z.string() }))
    .output(CallReceipt)
    .query(({ ctx, input }) => getReceipt(ctx.owner, input.requestId, { signal: ctx.signal })),
  totals: ownerProcedure
    .input(CallFilter.omit({ id: true }).extend({ by: UsageBreakdown.default('product') }))
    .output(UsageTotals)
    .query(async ({ ctx, input: { by, ...input } }) => {
      const filter = await withDays(ctx.owner, input)
      const today = dayIn(filter.timeZone)
      return readUsageTotals(ctx.owner, { filter, by, today, isTool }, { signal: ctx.signal })
    }),
  names: ownerProcedure.output(z.array(z.string())).query(({ ctx }) => calledNames(ctx.owner, { signal: ctx.signal })),
})
