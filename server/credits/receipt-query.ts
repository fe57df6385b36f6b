import type { CursorPosition } from '../kit/cursor'
import { type RowOf, type Statement, statement, statementFamily } from '../kit/statement'
import type { UsageFilter } from './shape'

const DAY_MS = 86_400_000

/** The columns of a receipt called `r`, with its key's present name. */
const RECEIPT_COLUMNS = `r.id, r.at, r.started_at, r.held, r.charged, r.key_id, r.status, r.door AS channel, r.product, r.what,
  r.detail, (SELECT k.name FROM "key" k WHERE k.id = r.key_id AND k.owner_id = r.owner_id) AS key_name`

const COLUMNS = {
  id: 'uuid',
  at: 'timestamptz',
  started_at: 'timestamptz',
  held: 'bigint',
  charged: 'bigint',
  key_id: 'int?',
  status: 'text',
  channel: 'text',
  product: 'text',
  what: 'text',
  detail: 'jsonb?',
  key_name: 'text?',
} as const

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

type Asked = { ownerId: number; filter: UsageFilter; after: CursorPosition | null; max: number }

/** Columns that a filter names, in receipts and in their daily sums alike. */
const FILTERED = { keyId: 'key_id', what: 'what', status: 'status', product: 'product' } as const

/** Values that nearly every call has: their indexes leave them out. */
const COMMON = { status: 'ok', product: 'tool' }

/**
 * The query of an owner's receipts, newest first, at most `max`, older than `after`. Each filter
 * walks an index in the order of the list. No index leads to several filters at once, nor to the
 * common values: there the daily sums say between which days it is worth looking.
 */
export function receiptQuery({ ownerId, filter, after, max }: Asked): {
  statement: Statement<readonly unknown[], ReceiptRow>
  values: unknown[]
} {
  const values: unknown[] = []
  const given = (value: unknown) => `$${values.push(value)}`
  const owner = given(ownerId)
  const filters = Object.entries(FILTERED).flatMap(([name, column]) => {
    const value = filter[name as keyof typeof FILTERED]
    return value === undefined ? [] : [{ column, at: given(value), isCommon: isCommon(column, value) }]
  })
  const conditions = [`r.owner_id = ${owner}`, ...filters.map(({ column, at }) => `r.${column} = ${at}`)]
  // What the planner must see to take a partial index.
  for (const { column, isCommon } of filters)
    if (!isCommon && column in COMMON) conditions.push(`r.${column} <> '${COMMON[column as keyof typeof COMMON]}'`)
  if (filters.length > 1 || filters.some(({ isCommon }) => isCommon)) {
    const days = `FROM usage_day u WHERE u.owner_id = ${owner} AND u.calls > 0${filters.map(({ column, at }) => ` AND u.${column} = ${at}`).join('')}`
    conditions.push(
      `r.at >= (SELECT min(u.day)::timestamp AT TIME ZONE 'UTC' ${days})`,
      `r.at < (SELECT (max(u.day) + 1)::timestamp AT TIME ZONE 'UTC' ${days})`,
    )
  }
  if (filter.from) conditions.push(`r.at >= ${given(new Date(filter.from))}`)
  if (filter.to) conditions.push(`r.at < ${given(new Date(new Date(filter.to).getTime() + DAY_MS))}`)
  if (after) conditions.push(`(r.at, r.id) < (${given(after.at)}::timestamptz, ${given(after.id)}::uuid)`)
  const text = `SELECT ${RECEIPT_COLUMNS} FROM receipt r WHERE ${conditions.join(' AND ')}
    ORDER BY r.at DESC, r.id DESC LIMIT ${given(max)}`
  return { statement: receiptList(text), values }
}

const isCommon = (column: string, value: unknown): boolean => COMMON[column as keyof typeof COMMON] === value

/** A query of every combination of filters there is. */
function sampleQueries(): string[] {
  const choices = {
    keyId: [1],
    what: ['web_search'],
    status: ['ok', 'failed'],
    product: ['tool', 'chat'],
    from: ['2026-01-01'],
    to: ['2026-01-31'],
  } as const
  let filters: UsageFilter[] = [{}]
  for (const [name, values] of Object.entries(choices))
    filters = filters.flatMap((filter) => [filter, ...values.map((value) => ({ ...filter, [name]: value }))])
  const after = { at: new Date(0), id: '00000000-0000-7000-8000-000000000000' }
  return filters.flatMap((filter) =>
    [null, after].map((position) => receiptQuery({ ownerId: 1, filter, after: position, max: 20 }).statement.text),
  )
}
