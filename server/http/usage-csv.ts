import { z } from 'zod'
import { receiptsCsvHeader, receiptsToCsv } from '../api/receipts-csv'
import { CallFilter, OutcomeFilter, type ReceiptList, UsageRange } from '../credits/shape'
import { invalidRequest } from '../errors'
import { makeHandler, READ_METHODS } from './handler'
import { streamOfTexts } from './piece-stream'
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
  const given = Object.fromEntries([...new URL(url).searchParams].filter(([, value]) => value !== ''))
  const parsed = Query.safeParse(given)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  const { job, status, range, ...filter } = parsed.data
  return { ...filter, jobId: job, outcome: status, ...(!filter.from && !filter.to && { range }) }
}

/** A list as CSV, page by page; each is fetched when the one before was read. */
async function* csvPages(first: ReceiptList, fetchPage: (cursor: string) => Promise<ReceiptList>) {
  yield receiptsCsvHeader()
  for (let page = first; ; page = await fetchPage(page.nextCursor)) {
    yield receiptsToCsv(page.rows)
    if (page.nextCursor === null) return
  }
}

/**
 * `/usage/export`: an owner's calls as CSV, one line each, with the usage page's filters. Streams
 * page by page. Texts that a spreadsheet would run as a formula are quoted. A failure midway aborts
 * the download, so that it is noticed.
 */
export const usageCsvHandler = makeHandler(
  'usage-csv',
  async ({ req, requestId }) => {
    const caller = callerFor({ req, requestId }, 'session')
    const filter = readFilter(req.url)
    const list = (cursor?: string) => caller.usage.list({ ...filter, limit: PAGE, cursor })
    const body = streamOfTexts(csvPages(await list(), list))
    return new Response(body, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="usage-${new Date().toISOString().slice(0, 10)}.csv"`,
        'cache-control': 'no-store',
        'x-request-id': requestId,
      },
    })
  },
  { methods: READ_METHODS },
)
