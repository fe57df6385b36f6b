import { z } from 'zod'
import { changePassword } from '../../accounts/change-password'
import { countPasswordAttempt } from '../../accounts/rate-limit'
import { PasswordChange } from '../../accounts/shape'
import { simulationNotice } from '../../catalog/simulation'
import { env } from '../../env'
import { ownerProcedure, router } from '../trpc'

const Me = z.object({
  email: z.string(),
  name: z.string().nullable(),
  isAdmin: z.boolean(),
  simulation: z.string().nullable().describe('What is simulated, in a sentence; null: nothing'),
  isMixed: z.boolean().describe('Some providers are simulated and others real'),
  baseUrl: z.string().describe('Base URL of the API'),
  creditsPerUsd: z.int(),
})

export const accountRouter = router({
  me: ownerProcedure.output(Me).query(({ ctx: { session } }) => ({
    email: session.email,
    name: session.name,
    isAdmin: session.isAdmin,
    simulation: simulationNotice(),
    isMixed: env().mode === 'mixed',
    baseUrl: env().PUBLIC_URL,
    creditsPerUsd: env().CREDITS_PER_USD,
  })),

  changePassword: ownerProcedure
    .input(PasswordChange)
    .output(z.object({ changed: z.literal(true) }))
    .mutation(async ({ ctx: { session }, input }) => {
      await countPasswordAttempt(session.ownerId)
      await changePassword(session, input)
      return { changed: true }
    }),
})
