import { columnTypes, selectList } from '../kit/column-table'
import type { CursorPosition } from '../kit/cursor'
import { type RowOf, type Statement, statement, statementFamily } from '../kit/statement'
import {
  customerConditions,
  dayBounds,
  kindConditions,
  type ReceiptFilter,
  statementValues,
  summedConditions,
} from './receipt-filter'
import { RECEIPT_CALL, RECEIPT_CREDITS } from './shape'

const { released: _, ...CREDITS } = RECEIPT_CREDITS
const FIELDS = { ...RECEIPT_CALL, ...CREDITS, detail: { sql: 'r.detail', type: 'jsonb?' } } as const

/** The columns of a receipt called `r`, with its key's present name. */
const RECEIPT_COLUMNS = selectList(FIELDS)
const COLUMNS = columnTypes(FIELDS)

/** One receipt of an owner, by its id. */
export const RECEIPT_BY_ID = statement({
  name: 'receipt_by_id',
  sql: `SELECT ${RECEIPT_COLUMNS} FROM receipt r WHERE r.id = $1 AND r.owner_id = $2`,
  params: ['uuid', 'int'],
  columns: COLUMNS,
})

/** A receipt as the database has it, with its key's present name. Credits are decimal text. */
export type ReceiptRow = RowOf<typeof RECEIPT_BY_ID>

const receiptList = statementFamily({ name: 'receipt_list', columns: COLUMNS, samples: sampleQueries })

type Asked = { ownerId: number; filter: ReceiptFilter; after: CursorPosition | null; max: number }

/** True where an index leads to the filter's receipts in the order of the list. */
function isIndexed({ keyId, what, channel, product, status, outcome, jobId, customer, id }: ReceiptFilter): boolean {
  if (jobId !== undefined || customer !== undefined || id !== undefined) return true
  // Few calls have another status than ok: whatever else is asked of them is quickly checked.
  if (status !== undefined && status !== 'ok') return true
  const filters = [keyId, what, channel, product, status, outcome].filter((value) => value !== undefined)
  const isCommon = channel !== undefined || outcome !== undefined || status === 'ok' || product === 'tool'
  return filters.length === 0 || (filters.length === 1 && !isCommon)
}

/**
 * The query of an owner's receipts, newest first, at most `max`, older than `after`. One filter
 * walks an index in the order of the list. No index leads to several filters at once, nor to what
 * nearly every call has: there the sums by hour say in which hours there is something to find.
 */
export function receiptQuery({ ownerId, filter, after, max }: Asked): {
  statement: Statement<readonly unknown[], ReceiptRow>
  values: unknown[]
} {
  const { values, given } = statementValues()
  const owner = given(ownerId)
  const key = filter.keyId === undefined ? null : given(filter.keyId)
  const { since, until } = dayBounds(filter, given)
  const position = after && { at: `${given(after.at)}::timestamptz`, id: `${given(after.id)}::uuid` }
  const limit = given(max)
  const conditions = [
    `r.owner_id = ${owner}`,
    ...(key ? [`r.key_id = ${key}`] : []),
    ...kindConditions(filter, given),
    ...(filter.jobId === undefined ? [] : [`r.limit_id = ${given(filter.jobId)}`]),
    ...customerConditions(filter, given, owner),
    ...(since ? [`r.at >= ${since}`] : []),
    ...(until ? [`r.at < ${until}`] : []),
    ...(position ? [`(r.at, r.id) < (${position.at}, ${position.id})`] : []),
  ]
  if (filter.id !== undefined) {
    const id = given(filter.id)
    conditions.push(`(r.id = ${id} OR r.limit_id = ${id})`)
  }
  const where = conditions.join(' AND ')
  if (isIndexed(filter)) {
    const text = `SELECT ${RECEIPT_COLUMNS} FROM receipt r WHERE ${where} ORDER BY r.at DESC, r.id DESC LIMIT ${limit}`
    return { statement: receiptList(text), values }
  }
  const ends = [until, position?.at].filter((end) => end !== null && end !== undefined)
  const hours = [
    `u.owner_id = ${owner} AND u.key_id = ${key ?? '-1'}`,
    ...summedConditions(filter, given),
    ...(since ? [`u.hour > ${since} - interval '1 hour'`] : []),
    ...ends.map((end) => `u.hour <= ${end}`),
  ]
  // An hour that ends before the list begins has all its calls in it.
  const isWhole = ends.length > 0 ? `hour + interval '1 hour' <= least(${ends.join(', ')})` : 'true'
  const text = `WITH filled AS (
      SELECT u.hour, sum(u.calls) AS calls FROM usage_hour u WHERE ${hours.join(' AND ')} GROUP BY u.hour HAVING sum(u.calls) > 0
    ), near AS (
      SELECT n.hour FROM (SELECT hour, sum(calls) FILTER (WHERE ${isWhole})
        OVER (ORDER BY hour DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS newer FROM filled) n
      WHERE coalesce(n.newer, 0) < ${limit}
    ), found AS (
      SELECT f.id FROM (
        (SELECT r.id, r.at FROM receipt r WHERE ${where} AND r.at >= (SELECT s.until FROM usage_summed s)
          ORDER BY r.at DESC, r.id DESC LIMIT ${limit})
        UNION ALL
        SELECT x.id, x.at FROM near n CROSS JOIN LATERAL (
          SELECT r.id, r.at FROM receipt r WHERE ${where} AND r.at >= n.hour
            AND r.at < least(n.hour + interval '1 hour', (SELECT s.until FROM usage_summed s)) OFFSET 0) x
      ) f ORDER BY f.at DESC, f.id DESC LIMIT ${limit}
    )
    SELECT ${RECEIPT_COLUMNS} FROM found f JOIN receipt r ON r.id = f.id AND r.owner_id = ${owner} ORDER BY r.at DESC, r.id DESC`
  return { statement: receiptList(text), values }
}

/** A query of every combination of filters there is. */
function sampleQueries(): string[] {
  const choices = {
    keyId: [1],
    what: ['web_search'],
    channel: ['mcp'],
    status: ['ok', 'failed'],
    outcome: ['failed'],
    product: ['tool', 'chat'],
    from: ['2026-01-01'],
    to: ['2026-01-31'],
  } as const
  let filters: ReceiptFilter[] = [{}]
  for (const [name, values] of Object.entries(choices))
    filters = filters.flatMap((filter) => [filter, ...values.map((value) => ({ ...filter, [name]: value }))])
  const id = '00000000-0000-7000-8000-000000000000'
  filters.push({ jobId: id }, { id }, { customer: 'a' }, { customer: 'deleted:a' })
  const after = { at: new Date(0), id }
  return filters.flatMap((filter) =>
    [null, after].map((position) => receiptQuery({ ownerId: 1, filter, after: position, max: 20 }).statement.text),
  )
}
