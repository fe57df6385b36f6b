import { z } from 'zod'
import { AuditAction, Email } from '../accounts/shape'
import { OPERATOR_LOG_CSV } from '../api/operators/log-csv'
import { csvDownload, readUrlFilter } from './csv-download'
import { makeHandler, READ_METHODS } from './handler'
import { callerFor } from './procedure'

const PAGE = 100

const Filter = z
  .strictObject({
    action: AuditAction.optional(),
    actor: Email.optional(),
    owner: z.coerce.number().int().positive().optional(),
  })
  .transform(({ owner, ...filter }) => ({ ...filter, ownerId: owner }))

/**
 * `/operators/log/export`: what operators did as CSV, with the page's filters. 404 for whoever is
 * not an operator.
 */
export const operatorLogCsvHandler = makeHandler(
  'operator-log-csv',
  async ({ req, requestId }) => {
    const caller = callerFor({ req, requestId }, 'session')
    // First who it is: others learn nothing of which filters there are.
    await caller.operators.owners.log({ limit: 1 })
    const filter = readUrlFilter(req.url, Filter)
    return csvDownload({
      name: 'operators-log',
      requestId,
      table: OPERATOR_LOG_CSV,
      list: (cursor) => caller.operators.owners.log({ ...filter, limit: PAGE, cursor }),
      rowsOf: ({ rows }) => rows,
    })
  },
  { methods: READ_METHODS },
)
