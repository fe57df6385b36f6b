import { z } from 'zod'
import { getReceipt, listReceipts } from '../../credits/receipts'
import { CallReceipt, ReceiptList, UsagePage } from '../../credits/shape'
import { listRefusals } from '../../request-log/list-refusals'
import { getRequestLog } from '../../request-log/read'
import { RefusalList, RefusalPage, RequestLog } from '../../request-log/shape'
import { confined, requireOwnReceipt } from '../own-customer'
import { keyProcedure, router } from '../trpc'

export const usageRouter = router({
  list: keyProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/usage',
        operationId: 'listUsage',
        summary: "List the owner's calls with their receipts, newest first",
        tags: ['Billing'],
        protect: true,
      },
      rest: { schema: 'ReceiptList' },
    })
    .input(UsagePage)
    .output(ReceiptList)
    .query(async ({ ctx: { caller, signal }, input }) =>
      listReceipts(caller.ownerId, await confined(caller, input), { signal }),
    ),

  refusals: keyProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/usage/refusals',
        operationId: 'listRefusals',
        summary: "List the requests that were refused to the owner's keys, newest first",
        description:
          'Answers 401 (of a key that exists), 402, 403, 409, 422 and 429, with the limit that refused. The last 100 of ' +
          'each key are kept, for 35 days, and are here a second after their answer.',
        tags: ['Billing'],
        protect: true,
      },
      rest: { schema: 'RefusalList' },
    })
    .input(RefusalPage)
    .output(RefusalList)
    .query(({ ctx: { caller, signal }, input }) =>
      listRefusals(caller.ownerId, caller.grants.customer ? { ...input, keyId: caller.keyId } : input, { signal }),
    ),

  get: keyProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/usage/{requestId}',
        operationId: 'getReceipt',
        summary: "One call's receipt, by its x-request-id",
        tags: ['Billing'],
        protect: true,
      },
      rest: { traits: ['named'] },
    })
    .input(z.object({ requestId: z.string().describe('The x-request-id of the call') }))
    .output(CallReceipt)
    .query(async ({ ctx: { caller, signal }, input }) =>
      requireOwnReceipt(caller, await getReceipt(caller.ownerId, input.requestId, { signal })),
    ),

  log: keyProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/usage/{requestId}/log',
        operationId: 'getRequestLog',
        summary: 'What one call of this key asked and was answered',
        description:
          'Only where the owner has turned on the request log in Settings, for calls made with the same key, and for ' +
          'as long as they are kept. Secrets are left out, and more than 64 KiB a side.',
        tags: ['Billing'],
        protect: true,
      },
      rest: { schema: 'RequestLog', traits: ['named'] },
    })
    .input(z.object({ requestId: z.string().describe('The x-request-id of the call') }))
    .output(RequestLog)
    .query(({ ctx, input }) => getRequestLog(ctx.caller, input.requestId, { signal: ctx.signal })),
})
