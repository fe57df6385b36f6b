import { receiptsCsvHeader, receiptsToCsv } from '../credits/receipts-csv'
import { type ReceiptList, UsageFilter } from '../credits/shape'
import { invalidRequest } from '../errors'
import { makeHandler, READ_METHODS } from './handler'
import { callerFor } from './procedure'

const PAGE = 100

/** Filters as they stand in an address: the same names, all text. */
function readFilter(url: string): UsageFilter {
  const given = Object.fromEntries([...new URL(url).searchParams].filter(([, value]) => value !== ''))
  const parsed = UsageFilter.strict().safeParse({ ...given, ...(given.keyId && { keyId: Number(given.keyId) }) })
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  return parsed.data
}

/** A list as CSV, a page at a time, each fetched when the one before has been taken. */
async function* csvPages(first: ReceiptList, fetchPage: (cursor: string) => Promise<ReceiptList>) {
  yield receiptsCsvHeader()
  for (let page = first; ; page = await fetchPage(page.nextCursor)) {
    yield receiptsToCsv(page.rows)
    if (page.nextCursor === null) return
  }
}

/** A stream that asks for the next text when there is room for it. */
function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await texts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await texts.return(undefined)
    },
  })
}

/**
 * `/usage/export`: an owner's calls as CSV, one line each, with the usage page's filters. Streams page by page. Texts
 * that a spreadsheet would run as a formula are quoted. A failure midway breaks the download off, so that it is seen.
 */
export const usageCsvHandler = makeHandler(
  'usage-csv',
  async ({ req, requestId }) => {
    const caller = callerFor({ req, requestId }, 'session')
    const filter = readFilter(req.url)
    const list = (cursor?: string) => caller.usage.list({ ...filter, limit: PAGE, cursor })
    const body = streamOf(csvPages(await list(), list))
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
