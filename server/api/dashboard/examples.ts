import { z } from 'zod'
import { StartedJob, StartRequest } from '../../agent/shape'
import { ExampleGoal, listExamples } from '../../agent/welcome/example-goals'
import { startExample } from '../../agent/welcome/start-example'
import { NOT_AUDITED } from '../operation-meta'
import { ownerProcedure, router } from '../trpc'

const StartExample = StartRequest.pick({ idempotencyKey: true }).extend({ example: z.string().max(50) })

export const examplesRouter = router({
  list: ownerProcedure.output(z.array(ExampleGoal)).query(({ ctx }) => listExamples(ctx.owner)),

  start: ownerProcedure
    .meta(NOT_AUDITED)
    .input(StartExample)
    .output(StartedJob)
    .mutation(({ ctx, input: { example, idempotencyKey } }) =>
      startExample(ctx.owner, { id: example, idempotencyKey }),
    ),
})
