import { z } from 'zod'
import { readAccountLimits } from '../../credits/account-limits'
import { getBalance } from '../../credits/balance'
import { readKeyBudgets } from '../../credits/budgets/states'
import { readLimits } from '../../credits/read-limits'
import { remainingCredits } from '../../credits/remaining'
import { KeyStatus } from '../../keys/key-status'
import { getKey } from '../../keys/list'
import { customerOf } from '../customer'
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
    rest: { schema: 'KeyStatus', headers: ['x-tollgate-customer'] },
  })
  .input(z.object({}))
  .output(KeyStatus)
  .query(async ({ ctx }) => {
    const { rate } = ctx.reply
    if (!rate) throw new Error('a key was authenticated without its rate')
    const { ownerId, keyId } = ctx.caller
    const customer = customerOf(ctx, ctx.caller, null)
    if (customer?.refusal) throw customer.refusal
    const customerId = await customer?.find()
    const [view, balance, { day }, limits, budgeted] = await Promise.all([
      getKey(ownerId, keyId),
      getBalance(ownerId),
      readAccountLimits(ownerId),
      readLimits({ ownerId, keyId }),
      readKeyBudgets({ ownerId, keyId, customerId }),
    ])
    const budgets = {
      lifetime: view.remaining,
      period: view.recurringBudget?.remaining ?? null,
      day: day?.remaining ?? null,
    }
    const left = remainingCredits(balance.available, budgets)
    return { ...view, balance, dailyLimit: day, left, limits: [...limits.values(), ...budgeted], rate }
  })
