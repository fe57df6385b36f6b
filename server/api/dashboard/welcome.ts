import { z } from 'zod'
import { FirstSteps, hideFirstSteps, readFirstSteps } from '../../agent/welcome/first-steps'
import { NOT_AUDITED } from '../operation-meta'
import { memberProcedure, router } from '../trpc'

export const welcomeRouter = router({
  steps: memberProcedure('developer')
    .output(FirstSteps)
    .query(({ ctx }) => readFirstSteps({ ownerId: ctx.owner, isAdmin: ctx.session.isAdmin }, ctx.signal)),

  hide: memberProcedure('developer')
    .meta(NOT_AUDITED)
    .input(z.strictObject({ isHidden: z.boolean() }))
    .mutation(({ ctx, input }) => hideFirstSteps(ctx.owner, input.isHidden)),
})
