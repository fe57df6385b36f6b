import { z } from 'zod'
import { readAccountLimits } from '../../credits/account-limits'
import { getBalance } from '../../credits/balance'
import { remainingCredits } from '../../credits/remaining'
import { KeyStatus } from '../../keys/key-status'
import { getKey } from '../../keys/list'
import { keyProcedure } from '../trpc'

export const keyStatusProcedure = keyProcedure
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
    const { rate } = ctx.reply
    if (!rate) throw new Error('a key was authenticated without its rate')
    const [view, balance, { day }] = await Promise.all([
      getKey(ctx.caller.ownerId, ctx.caller.keyId),
      getBalance(ctx.caller.ownerId),
      readAccountLimits(ctx.caller.ownerId),
    ])
    const budgets = {
      lifetime: view.remaining,
      period: view.recurringBudget?.remaining ?? null,
      day: day?.remaining ?? null,
    }
    return { ...view, balance, dailyLimit: day, left: remainingCredits(balance.available, budgets), rate }
  })
