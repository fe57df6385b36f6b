import { z } from 'zod'
import { UsageView, UsageViewName } from '../../accounts/members/shape'
import { listUsageViews, removeUsageView, saveUsageView } from '../../accounts/members/usage-views'
import { getTimeZone } from '../../accounts/time-zone'
import { jobTitles, stepOfReceipt } from '../../agent/jobs/step-of-receipt'
import { agentTools } from '../../agent-tools/registry'
import { countNewerReceipts } from '../../credits/newer-receipts'
import { listGroupedReceipts } from '../../credits/receipt-groups'
import { getReceipt, listReceipts } from '../../credits/receipts'
import {
  CallFilter,
  CallPage,
  CallReceipt,
  ReceiptList,
  UsageBreakdown,
  UsagePace,
  UsageTotals,
} from '../../credits/shape'
import { calledNames } from '../../credits/spend'
import { readUsagePace } from '../../credits/usage-pace'
import { daysOf, localDayOf } from '../../credits/usage-range'
import { readUsageTotals } from '../../credits/usage-totals'
import { isUuid } from '../../kit/id'
import { countRefusals } from '../../request-log/count-refusals'
import { listRefusals } from '../../request-log/list-refusals'
import { findRequestLog } from '../../request-log/read'
import { RefusalFilter, RefusalList, RefusalPage, RefusalTotals, RequestLog } from '../../request-log/shape'
import { availableTools } from '../../tools/registry'
import { NOT_AUDITED } from '../operation-meta'
import { memberProcedure, requireRole, router } from '../trpc'

/** A filter with the days that it means for an owner now. */
async function withDays<F extends CallFilter>(ownerId: number, { range, from, to, ...filter }: F) {
  const timeZone = await getTimeZone(ownerId)
  return { ...filter, ...daysOf({ range, from, to }, timeZone), timeZone }
}

const GroupedList = z.object({
  rows: z.array(
    z.object({
      receipt: CallReceipt.describe("A call; of a job's calls the newest"),
      job: z
        .object({ jobId: z.string(), title: z.string(), calls: z.int(), charged: z.int(), failed: z.int() })
        .nullable(),
    }),
  ),
  nextCursor: z.string().nullable(),
})

const isTool = (what: string): boolean => [...availableTools(), ...agentTools()].some(({ id }) => id === what)

export const ownerUsageRouter = router({
  list: memberProcedure('viewer')
    .input(CallPage)
    .output(ReceiptList)
    .query(async ({ ctx, input }) => listReceipts(ctx.owner, await withDays(ctx.owner, input), { signal: ctx.signal })),
  /** The call with a request id, or those of the job with that id. None for what is no id. */
  find: memberProcedure('viewer')
    .input(
      z.object({ id: z.string().max(200), limit: z.int().min(1).max(100), cursor: z.string().max(200).optional() }),
    )
    .output(ReceiptList)
    .query(({ ctx, input }) =>
      isUuid(input.id)
        ? listReceipts(ctx.owner, input, { signal: ctx.signal })
        : Promise.resolve({ rows: [], nextCursor: null }),
    ),
  /** The same with the calls of a job as one row. */
  grouped: memberProcedure('viewer')
    .input(CallPage)
    .output(GroupedList)
    .query(async ({ ctx, input }) => {
      const options = { signal: ctx.signal }
      const { rows, nextCursor } = await listGroupedReceipts(ctx.owner, await withDays(ctx.owner, input), options)
      const titles = await jobTitles(
        ctx.owner,
        rows.flatMap(({ job }) => job?.jobId ?? []),
        options,
      )
      const titled = rows.map(({ receipt, job }) => ({
        receipt,
        job: job && { ...job, title: titles.get(job.jobId) ?? 'Deleted job' },
      }))
      return { rows: titled, nextCursor }
    }),
  newer: memberProcedure('viewer')
    .input(CallFilter.extend({ than: z.uuid().optional(), max: z.int().min(1).max(100) }))
    .output(z.object({ count: z.int() }))
    .query(async ({ ctx, input }) => ({
      count: await countNewerReceipts(ctx.owner, input, { signal: ctx.signal }),
    })),
  step: memberProcedure('viewer')
    .input(z.object({ requestId: z.string() }))
    .output(z.object({ title: z.string().nullable(), step: z.int().nullable() }))
    .query(({ ctx, input }) => stepOfReceipt(ctx.owner, input.requestId, { signal: ctx.signal })),
  get: memberProcedure('viewer')
    .input(z.object({ requestId: z.string() }))
    .output(CallReceipt)
    .query(({ ctx, input }) => getReceipt(ctx.owner, input.requestId, { signal: ctx.signal })),
  /** What a call asked and was answered, where that was kept. */
  log: memberProcedure('viewer')
    .input(z.object({ requestId: z.string() }))
    .output(z.object({ log: RequestLog.nullable() }))
    .query(async ({ ctx, input }) => ({
      log: await findRequestLog({ ownerId: ctx.owner, keyId: null }, input.requestId, { signal: ctx.signal }),
    })),
  refusals: memberProcedure('viewer')
    .input(RefusalPage)
    .output(RefusalList)
    .query(({ ctx, input }) => listRefusals(ctx.owner, input, { signal: ctx.signal })),
  refusalTotals: memberProcedure('viewer')
    .input(RefusalFilter)
    .output(RefusalTotals)
    .query(async ({ ctx, input }) =>
      countRefusals(ctx.owner, { ...input, timeZone: await getTimeZone(ctx.owner) }, { signal: ctx.signal }),
    ),
  totals: memberProcedure('member')
    .input(CallFilter.extend({ by: UsageBreakdown.default('product') }))
    .output(UsageTotals)
    .query(async ({ ctx, input: { by, ...input } }) => {
      // Names of keys are not for whoever only pays.
      if (by === 'key' || input.keyId !== undefined) requireRole(ctx.role, 'viewer')
      const filter = await withDays(ctx.owner, input)
      const today = localDayOf(filter.timeZone)
      return readUsageTotals(ctx.owner, { filter, by, today, isTool }, { signal: ctx.signal })
    }),
  pace: memberProcedure('member')
    .input(CallFilter)
    .output(UsagePace)
    .query(async ({ ctx, input }) => {
      if (input.keyId !== undefined) requireRole(ctx.role, 'viewer')
      const filter = await withDays(ctx.owner, input)
      return readUsagePace(ctx.owner, { filter, today: localDayOf(filter.timeZone) }, { signal: ctx.signal })
    }),
  names: memberProcedure('member')
    .output(z.array(z.string()))
    .query(({ ctx }) => calledNames(ctx.owner, { signal: ctx.signal })),
  /** Of whoever is signed in, in this account: nobody else sees them. */
  views: memberProcedure('member')
    .output(z.array(UsageView))
    .query(({ ctx }) => listUsageViews({ accountId: ctx.owner, personId: ctx.person })),
  saveView: memberProcedure('member')
    .meta(NOT_AUDITED)
    .input(UsageView.strict())
    .output(z.array(UsageView))
    .mutation(({ ctx, input }) => saveUsageView({ accountId: ctx.owner, personId: ctx.person }, input)),
  removeView: memberProcedure('member')
    .meta(NOT_AUDITED)
    .input(UsageViewName.strict())
    .output(z.array(UsageView))
    .mutation(({ ctx, input }) => removeUsageView({ accountId: ctx.owner, personId: ctx.person }, input.name)),
})
