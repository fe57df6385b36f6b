import { stringify } from 'csv-stringify/sync'
import { type AccountStatement, type StatementLine, StatementPage } from '../credits/shape'
import { invalidRequest } from '../errors'
import { makeHandler, READ_METHODS } from './handler'
import { streamOfTexts } from './piece-stream'
import { callerFor } from './procedure'

const COLUMNS: Readonly<Record<string, (line: StatementLine) => string | number | null>> = {
  day: ({ day }) => day,
  at: ({ at }) => at,
  kind: ({ kind }) => kind,
  calls: ({ kind, calls }) => (kind === 'charges' ? calls : null),
  credits: ({ amount }) => amount,
  balance: ({ balance }) => balance,
  note: ({ note }) => note,
  request_id: ({ requestId }) => requestId,
}

const toLines = (rows: readonly (readonly (string | number | null)[])[]): string =>
  stringify([...rows], { escape_formulas: true })

/** A statement as CSV, page by page; each is fetched when the one before was read. */
async function* statementPages(
  first: AccountStatement,
  fetchPage: (cursor: string) => Promise<AccountStatement>,
): AsyncGenerator<string> {
  yield toLines([Object.keys(COLUMNS)])
  for (let page = first; ; page = await fetchPage(page.nextCursor)) {
    yield toLines(page.lines.map((line) => Object.values(COLUMNS).map((cellOf) => cellOf(line))))
    if (page.nextCursor === null) return
  }
}

/** `/credits/export`: an owner's statement as CSV, of a month or of all time. */
export const statementCsvHandler = makeHandler(
  'statement-csv',
  async ({ req, requestId }) => {
    const caller = callerFor({ req, requestId }, 'session')
    const given = Object.fromEntries([...new URL(req.url).searchParams].filter(([, value]) => value !== ''))
    const parsed = StatementPage.pick({ month: true }).strict().safeParse(given)
    if (!parsed.success) throw invalidRequest(parsed.error.issues)
    const read = (cursor?: string) => caller.credits.statement({ ...parsed.data, cursor })
    return new Response(streamOfTexts(statementPages(await read(), read)), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="credits-${parsed.data.month ?? new Date().toISOString().slice(0, 10)}.csv"`,
        'cache-control': 'no-store',
        'x-request-id': requestId,
      },
    })
  },
  { methods: READ_METHODS },
)
