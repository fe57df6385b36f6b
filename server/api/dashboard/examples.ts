import { z } from 'zod'
import { MIN_CREDITS_TO_START } from '../../agent/jobs/write-turn'
import { StartedJob, StartRequest } from '../../agent/shape'
import { ExampleGoal, listExamples } from '../../agent/welcome/example-goals'
import { startExample } from '../../agent/welcome/start-example'
import { AppError } from '../../errors'
import { NOT_AUDITED } from '../operation-meta'
import { memberProcedure, router } from '../trpc'
import { asStarter } from './as-starter'
import { checkPrice, PriceCheck } from './price-check'

const StartExample = StartRequest.pick({ idempotencyKey: true }).extend({ example: z.string().max(50) })

export const examplesRouter = router({
  list: memberProcedure('developer')
    .output(z.array(ExampleGoal))
    .query(({ ctx }) => listExamples(ctx.owner)),

  /** What a run of an example may spend and usually costs. Nothing is started. */
  estimate: memberProcedure('developer')
    .input(StartExample.pick({ example: true }))
    .output(PriceCheck)
    .query(async ({ ctx, input }) => {
      const example = (await listExamples(ctx.owner)).find(({ id }) => id === input.example)
      if (!example) throw new AppError('not_found', 'There is no such example.')
      const { maxCredits, usualCredits } = example
      const estimate = { most: maxCredits, typical: usualCredits, basis: 'estimate' as const }
      return checkPrice(ctx.owner, estimate, { least: Number(MIN_CREDITS_TO_START) })
    }),

  start: memberProcedure('developer')
    .meta(NOT_AUDITED)
    .input(StartExample)
    .output(StartedJob)
    .mutation(({ ctx, input: { example, idempotencyKey } }) =>
      startExample(ctx.owner, { id: example, idempotencyKey, by: asStarter(ctx) }),
    ),
})
