import { type StatementLine, StatementPage } from '../credits/shape'
import { csvTable } from '../kit/csv-table'
import { csvDownload, readUrlFilter } from './csv-download'
import { makeHandler, READ_METHODS } from './handler'
import { callerFor } from './procedure'

const STATEMENT_CSV = csvTable<StatementLine>({
  day: ({ day }) => day,
  at: ({ at }) => at,
  kind: ({ kind }) => kind,
  calls: ({ kind, calls }) => (kind === 'charges' ? calls : null),
  credits: ({ amount }) => amount,
  balance: ({ balance }) => balance,
  note: ({ note }) => note,
  request_id: ({ requestId }) => requestId,
})

/** `/credits/export`: an owner's statement as CSV, of a month or of all time. */
export const statementCsvHandler = makeHandler(
  'statement-csv',
  async ({ req, requestId }) => {
    const caller = callerFor({ req, requestId }, 'session')
    const { month } = readUrlFilter(req.url, StatementPage.pick({ month: true }).strict())
    return csvDownload({
      name: 'credits',
      period: month,
      requestId,
      table: STATEMENT_CSV,
      list: (cursor) => caller.credits.statement({ month, cursor }),
      rowsOf: ({ lines }) => lines,
    })
  },
  { methods: READ_METHODS },
)
