import { AuditFilter, type AuditList } from '../accounts/shape'
import { auditCsvHeader, auditToCsv } from '../api/audit-csv'
import { invalidRequest } from '../errors'
import { makeHandler, READ_METHODS } from './handler'
import { streamOfTexts } from './piece-stream'
import { callerFor } from './procedure'

const PAGE = 100

/** The filters in a URL, as the page of the audit log has them. */
function readFilter(url: string): AuditFilter {
  const given = Object.fromEntries([...new URL(url).searchParams].filter(([, value]) => value !== ''))
  const parsed = AuditFilter.strict().safeParse(given)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  return parsed.data
}

/** The log as CSV, page by page; each is fetched when the one before was read. */
async function* csvPages(first: AuditList, fetchPage: (cursor: string) => Promise<AuditList>) {
  yield auditCsvHeader()
  for (let page = first; ; page = await fetchPage(page.nextCursor)) {
    yield auditToCsv(page.rows)
    if (page.nextCursor === null) return
  }
}

/**
 * `/settings/audit/export`: an owner's audit log as CSV, with the page's filters. Streams page by
 * page. Texts that a spreadsheet would run as a formula are escaped.
 */
export const auditCsvHandler = makeHandler(
  'audit-csv',
  async ({ req, requestId }) => {
    const caller = callerFor({ req, requestId }, 'session')
    const filter = readFilter(req.url)
    const list = (cursor?: string) => caller.account.audit({ ...filter, limit: PAGE, cursor })
    const body = streamOfTexts(csvPages(await list(), list))
    return new Response(body, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="audit-log-${new Date().toISOString().slice(0, 10)}.csv"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': requestId,
      },
    })
  },
  { methods: READ_METHODS },
)
