import { receiptsCsvHeader, receiptsToCsv } from '../api/receipts-csv'
import { type ReceiptList, UsageFilter } from '../credits/shape'
import { invalidRequest } from '../errors'
import { makeHandler, READ_METHODS } from './handler'
import { streamOfTexts } from './piece-stream'
import { callerFor } from './procedure'

const PAGE = 100

/** The filters in a URL: the names of the list's, all as text. */
function readFilter(url: string): UsageFilter {
  const given = Object.fromEntries([...new URL(url).searchParams].filter(([, value]) => value !== ''))
  const parsed = UsageFilter.strict().safeParse({ ...given, ...(given.keyId && { keyId: Number(given.keyId) }) })
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  return parsed.data
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
