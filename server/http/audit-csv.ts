import { AuditFilter } from '../accounts/shape'
import { AUDIT_CSV } from '../api/audit-csv'
import { csvDownload, readUrlFilter } from './csv-download'
import { makeHandler, READ_METHODS } from './handler'
import { callerFor } from './procedure'

const PAGE = 100

/** `/settings/audit/export`: an owner's audit log as CSV, with the page's filters. */
export const auditCsvHandler = makeHandler(
  'audit-csv',
  async ({ req, requestId }) => {
    const caller = callerFor({ req, requestId }, 'session')
    const filter = readUrlFilter(req.url, AuditFilter.strict())
    return csvDownload({
      name: 'audit-log',
      requestId,
      table: AUDIT_CSV,
      list: (cursor) => caller.account.audit({ ...filter, limit: PAGE, cursor }),
      rowsOf: ({ rows }) => rows,
    })
  },
  { methods: READ_METHODS },
)
