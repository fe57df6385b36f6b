import { z } from 'zod'
import { FirstSteps, hideFirstSteps, readFirstSteps } from '../../agent/welcome/first-steps'
import { NOT_AUDITED } from '../operation-meta'
import { ownerProcedure, router } from '../trpc'

export const welcomeRouter = router({
  steps: ownerProcedure
    .output(FirstSteps)
    .query(({ ctx }) => readFirstSteps({ ownerId: ctx.owner, isAdmin: ctx.session.isAdmin }, ctx.signal)),

  hide: ownerProcedure
    .meta(NOT_AUDITED)
    .input(z.strictObject({ isHidden: z.boolean() }))
    .mutation(({ ctx, input }) => hideFirstSteps(ctx.owner, input.isHidden)),
})
