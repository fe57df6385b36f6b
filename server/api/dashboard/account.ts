import { z } from 'zod'
import { env } from '../../env'
import { ownerProcedure, router } from '../trpc'

const Me = z.object({
  email: z.string(),
  name: z.string().nullable(),
  isAdmin: z.boolean(),
  sandbox: z.boolean().describe('Providers are imitated'),
  baseUrl: z.string().describe('Where clients reach the API'),
  creditsPerUsd: z.int(),
})

export const account = router({
  me: ownerProcedure.output(Me).query(({ ctx: { session } }) => ({
    email: session.email,
    name: session.name,
    isAdmin: session.isAdmin,
    sandbox: env().sandbox,
    baseUrl: env().PUBLIC_URL,
    creditsPerUsd: env().CREDITS_PER_USD,
  })),
})
