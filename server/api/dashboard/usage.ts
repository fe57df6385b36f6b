import { z } from 'zod'
import { getReceipt, listReceipts } from '../../credits/receipts'
import { CallReceipt, ReceiptList, UsagePage } from '../../credits/shape'
import { calledNames } from '../../credits/spend'
import { ownerProcedure, router } from '../trpc'

export const ownerUsageRouter = router({
  list: ownerProcedure
    .input(UsagePage)
    .output(ReceiptList)
    .query(({ ctx, input }) => listReceipts(ctx.owner, input, { signal: ctx.signal })),
  get: ownerProcedure
    .input(z.object({ requestId: z.string() }))
    .output(CallReceipt)
    .query(({ ctx, input }) => getReceipt(ctx.owner, input.requestId, { signal: ctx.signal })),
  names: ownerProcedure.output(z.array(z.string())).query(({ ctx }) => calledNames(ctx.owner, { signal: ctx.signal })),
})
