import { z } from 'zod'
import { readHolds, retrySettlement } from '../../operators/holds'
import { refundRequest } from '../../operators/money'
import { readProviders } from '../../operators/providers'
import { readRequest } from '../../operators/read-request'
import { cancelRun, getRun, retryRun } from '../../operators/runs'
import { readSettingsAgain, readSettingsState } from '../../operators/settings'
import { CancelRunRequest, RefundRequest } from '../../operators/shape'
import { HoldsView, ProvidersView, SettingsAnswer, SettingsView, WorkersView } from '../../operators/state-views'
import { OperatorReceipt, RunRow } from '../../operators/views'
import { readWorkers } from '../../operators/workers'
import { AUDITED_BY_MODULE } from '../operation-meta'
import { adminProcedure, router } from '../trpc'
import { operatorOwnersRouter } from './owners'

const RequestId = z.strictObject({ requestId: z.string().max(100) })
const RunId = z.strictObject({ jobId: z.string().max(100) })

export const operatorsRouter = router({
  owners: operatorOwnersRouter,

  requests: router({
    get: adminProcedure
      .input(RequestId)
      .output(OperatorReceipt)
      .query(({ input }) => readRequest(input.requestId)),

    refund: adminProcedure
      .meta(AUDITED_BY_MODULE)
      .input(RefundRequest)
      .output(z.object({ credits: z.int(), isNew: z.boolean() }))
      .mutation(({ ctx, input }) => refundRequest(ctx.operator, input)),
  }),

  runs: router({
    get: adminProcedure
      .input(RunId)
      .output(RunRow)
      .query(({ input }) => getRun(input.jobId)),

    cancel: adminProcedure
      .meta(AUDITED_BY_MODULE)
      .input(CancelRunRequest)
      .output(RunRow)
      .mutation(({ ctx, input }) => cancelRun(ctx.operator, input)),

    retry: adminProcedure
      .meta(AUDITED_BY_MODULE)
      .input(RunId)
      .output(RunRow)
      .mutation(({ ctx, input }) => retryRun(ctx.operator, input.jobId)),
  }),

  workers: adminProcedure.output(WorkersView).query(({ ctx }) => readWorkers({ signal: ctx.signal })),

  providers: adminProcedure.output(ProvidersView).query(({ ctx }) => readProviders({ signal: ctx.signal })),

  settings: router({
    get: adminProcedure.output(SettingsView).query(({ ctx }) => readSettingsState({ signal: ctx.signal })),

    read: adminProcedure
      .meta(AUDITED_BY_MODULE)
      .output(SettingsAnswer)
      .mutation(({ ctx }) => readSettingsAgain(ctx.operator)),
  }),

  holds: adminProcedure.output(HoldsView).query(({ ctx }) => readHolds({ signal: ctx.signal })),

  retrySettlement: adminProcedure
    .meta(AUDITED_BY_MODULE)
    .input(z.strictObject({ id: z.string().max(100) }))
    .output(z.object({ charged: z.int() }))
    .mutation(async ({ ctx, input }) => ({ charged: await retrySettlement(ctx.operator, input.id) })),
})
