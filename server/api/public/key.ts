import { z } from 'zod'
import { getBalance } from '../../credits/balance'
import { remainingCredits } from '../../credits/remaining'
import { CreditBalance } from '../../credits/shape'
import { getKey } from '../../keys/list'
import { KeyView } from '../../keys/shape'
import { keyProcedure } from '../trpc'

const KeyStatus = KeyView.omit({ rotation: true, revokedAt: true }).extend({
  balance: CreditBalance.describe("The owner's credits"),
  left: z
    .object({ credits: z.int(), limitedBy: z.enum(['balance', 'key_budget', 'key_period']) })
    .describe('Credits this key can still spend, and which limit is reached first'),
  rate: z
    .object({ limit: z.int(), remaining: z.int(), resetS: z.int() })
    .describe("The key's rate limit: requests a minute, requests left, seconds until it resets"),
})

export const keyStatusProcedure = keyProcedure()
  .meta({
    openapi: {
      method: 'GET',
      path: '/key',
      operationId: 'getKey',
      summary: 'What this key may do, and what remains',
      tags: ['Billing'],
      protect: true,
    },
    rest: { schema: 'KeyStatus' },
  })
  .input(z.object({}))
  .output(KeyStatus)
  .query(async ({ ctx }) => {
    const [view, balance] = await Promise.all([
      getKey(ctx.caller.ownerId, ctx.caller.keyId),
      getBalance(ctx.caller.ownerId),
    ])
    const budgets = { lifetime: view.remaining, period: view.recurringBudget?.remaining ?? null }
    return { ...view, balance, left: remainingCredits(balance.available, budgets), rate: ctx.caller.rate }
  })
