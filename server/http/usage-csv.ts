import { stringify } from 'csv-stringify/sync'
import { type CallReceipt, type ReceiptList, UsageFilter } from '../credits/shape'
import { invalidRequest } from '../errors'
import { makeHandler } from './handler'
import { callerFor } from './procedure'

const PAGE = 100

const COLUMNS: readonly (readonly [
  name: string,
  of: (r: CallReceipt) => string | number | boolean | null | undefined,
])[] = [
  ['request_id', (r) => r.requestId],
  ['started_at', (r) => r.startedAt],
  ['ended_at', (r) => r.at],
  ['key_id', (r) => r.keyId],
  ['key_name', (r) => r.keyName],
  ['door', (r) => r.door],
  ['product', (r) => r.product],
  ['what', (r) => r.what],
  ['status', (r) => r.status],
  ['credits_held', (r) => r.credits.held],
  ['credits_charged', (r) => r.credits.charged],
  ['credits_released', (r) => r.credits.released],
  ['duration_ms', (r) => r.detail.durationMs],
  ['input_tokens', (r) => r.detail.inputTokens],
  ['output_tokens', (r) => r.detail.outputTokens],
  ['cost_usd', (r) => r.detail.costUsd],
  ['estimated', (r) => r.detail.estimated],
  ['error', (r) => r.detail.error],
]

/** The filters in a URL: the names of the list's, all as text. */
function readFilter(url: string): UsageFilter {
  const given = Object.fromEntries([...new URL(url).searchParams].filter(([, value]) => value !== ''))
  const parsed = UsageFilter.strict().safeParse({ ...given, ...(given.keyId && { keyId: Number(given.keyId) }) })
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  return parsed.data
}

const toCsv = (rows: readonly (readonly unknown[])[]): string =>
  stringify([...rows], { escape_formulas: true, cast: { boolean: String } })

/** A list as CSV, page by page; each is fetched when the one before was read. */
async function* csvPages(first: ReceiptList, fetchPage: (cursor: string) => Promise<ReceiptList>) {
  yield toCsv([COLUMNS.map(([name]) => name)])
  for (let page = first; ; page = await fetchPage(page.nextCursor)) {
    yield toCsv(page.rows.map((row) => COLUMNS.map(([, of]) => of(row))))
    if (page.nextCursor === null) return
  }
}

/** Texts as a stream that reads the next one on demand. */
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
 * `/usage/export`: an owner's calls as CSV, one line each, with the usage page's filters. Streams
 * page by page. Texts that a spreadsheet would run as a formula are quoted. A failure midway aborts
 * the download, so that it is noticed.
 */
export const usageCsvHandler = makeHandler('usage-csv', async ({ req, requestId }) => {
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
})
