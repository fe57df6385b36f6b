import { z } from 'zod'
import { RECEIPTS_CSV } from '../api/receipts-csv'
import { CallFilter, OutcomeFilter, UsageRange } from '../credits/shape'
import { csvDownload, readUrlFilter } from './csv-download'
import { makeHandler, READ_METHODS } from './handler'
import { callerFor } from './procedure'

const PAGE = 500

/** The usage page's parameters: those of the list, all as text. */
const Query = z.strictObject({
  ...CallFilter.omit({ jobId: true, outcome: true }).shape,
  keyId: z.coerce.number().pipe(z.int32()).optional(),
  job: CallFilter.shape.jobId,
  status: OutcomeFilter.or(z.enum(['void', 'expired']).transform(() => 'failed_free' as const)).optional(),
  range: UsageRange.or(z.literal('all').transform(() => undefined)).optional(),
})

/** The filters in a URL. Days of one's own go before a range. */
function readFilter(url: string): CallFilter {
  const { job, status, range, ...filter } = readUrlFilter(url, Query)
  return { ...filter, jobId: job, outcome: status, ...(!filter.from && !filter.to && { range }) }
}

/** `/usage/export`: an owner's calls as CSV, one line each, with the usage page's filters. */
export const usageCsvHandler = makeHandler(
  'usage-csv',
  async ({ req, requestId }) => {
    const caller = callerFor({ req, requestId }, 'session')
    const filter = readFilter(req.url)
    return csvDownload({
      name: 'usage',
      requestId,
      table: RECEIPTS_CSV,
      list: (cursor) => caller.usage.list({ ...filter, limit: PAGE, cursor }),
      rowsOf: ({ rows }) => rows,
    })
  },
  { methods: READ_METHODS },
)
