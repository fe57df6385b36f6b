import { z } from 'zod'
import { getTimeZone } from '../../accounts/time-zone'
import { readAccountLimits } from '../../credits/account-limits'
import { readAccountStatement } from '../../credits/account-statement'
import { AccountStatement, DayLimit, StatementPage } from '../../credits/shape'
import { env } from '../../env'
import { memberProcedure, router } from '../trpc'

const TopUp = z.object({
  url: z.string().nullable().describe('Where credits can be bought'),
  text: z.string().nullable().describe("The operator's words on how to get credits"),
})

const Limits = z.object({
  requestsPerMinute: z.int(),
  callsInProgress: z.int(),
  day: DayLimit.nullable(),
})

export const creditsRouter = router({
  statement: memberProcedure('billing')
    .input(StatementPage)
    .output(AccountStatement)
    .query(async ({ ctx, input: { month, cursor } }) => {
      const timeZone = await getTimeZone(ctx.owner)
      return readAccountStatement(ctx.owner, { timeZone, month, upTo: cursor }, { signal: ctx.signal })
    }),
  /** What all keys of the account together may do. */
  limits: memberProcedure('billing')
    .output(Limits)
    .query(({ ctx }) => readAccountLimits(ctx.owner)),
  topUp: memberProcedure('billing')
    .output(TopUp)
    .query(() => ({ url: env().TOP_UP_URL ?? null, text: env().TOP_UP_TEXT ?? null })),
})
