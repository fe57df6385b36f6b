import { z } from 'zod'
import { getBalance } from '../../credits/balance'
import { readUsageTotals } from '../../credits/usage-totals'
import { env } from '../../env'
import { accountKeyProcedure } from '../trpc'

const Credits = z.object({
  data: z.object({
    total_credits: z.number().describe('USD: what was granted, spent or not'),
    total_usage: z.number().describe('USD: what calls were charged'),
    credits: z
      .object({ available: z.int(), held: z.int(), charged: z.int() })
      .describe('The same in credits: to spend, reserved by calls in progress, charged so far'),
  }),
})

/** What clients of routers show as the account's money. */
export const creditsProcedure = accountKeyProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/credits',
      operationId: 'getCredits',
      summary: "The owner's credits, in the form of routers: in USD, and in credits",
      tags: ['Billing'],
      protect: true,
    },
    rest: { errors: 'chat', schema: 'Credits', ignoresUnknown: true },
  })
  .input(z.object({}))
  .output(Credits)
  .query(async ({ ctx: { caller, signal } }) => {
    const asked = {
      filter: { timeZone: 'UTC' },
      by: 'product' as const,
      today: new Date().toISOString().slice(0, 10),
      isTool: () => false,
    }
    const [{ available, held }, { total }] = await Promise.all([
      getBalance(caller.ownerId),
      readUsageTotals(caller.ownerId, asked, { signal }),
    ])
    const { CREDITS_PER_USD } = env()
    const { charged } = total
    return {
      data: {
        total_credits: (available + held + charged) / CREDITS_PER_USD,
        total_usage: charged / CREDITS_PER_USD,
        credits: { available, held, charged },
      },
    }
  })
