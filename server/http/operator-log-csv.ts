import { z } from 'zod'
import { AuditAction, Email } from '../accounts/shape'
import { operatorActsCsvHeader, operatorActsToCsv } from '../api/operators/log-csv'
import { invalidRequest } from '../errors'
import { makeHandler, READ_METHODS } from './handler'
import { streamOfTexts } from './piece-stream'
import { callerFor } from './procedure'

const PAGE = 100

const Filter = z
  .strictObject({
    action: AuditAction.optional(),
    actor: Email.optional(),
    owner: z.coerce.number().int().positive().optional(),
  })
  .transform(({ owner, ...filter }) => ({ ...filter, ownerId: owner }))

/** The filters in a URL, as the page of the log has them. */
function readLogFilter(url: string) {
  const given = Object.fromEntries([...new URL(url).searchParams].filter(([, value]) => value !== ''))
  const parsed = Filter.safeParse(given)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  return parsed.data
}

/**
 * `/operators/log/export`: what operators did as CSV, with the page's filters, page by page. 404
 * for whoever is not an operator.
 */
export const operatorLogCsvHandler = makeHandler(
  'operator-log-csv',
  async ({ req, requestId }) => {
    const caller = callerFor({ req, requestId }, 'session')
    // First who it is: others learn nothing of which filters there are.
    await caller.operators.owners.log({ limit: 1 })
    const filter = readLogFilter(req.url)
    const list = (cursor?: string) => caller.operators.owners.log({ ...filter, limit: PAGE, cursor })
    const first = await list()
    const pages = async function* () {
      yield operatorActsCsvHeader()
      for (let page = first; ; page = await list(page.nextCursor)) {
        yield operatorActsToCsv(page.rows)
        if (page.nextCursor === null) return
      }
    }
    return new Response(streamOfTexts(pages()), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="operators-log-${new Date().toISOString().slice(0, 10)}.csv"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': requestId,
      },
    })
  },
  { methods: READ_METHODS },
)
