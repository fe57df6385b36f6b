import type { CursorPosition } from '../kit/cursor'
import type { UsageFilter } from './shape'

const DAY_MS = 86_400_000

/** A receipt as the database has it, with its key's present name. Credits are decimal text. */
export type ReceiptRow = {
  id: string
  at: Date
  started_at: Date
  held: string
  charged: string
  key_id: number | null
  key_name: string | null
  status: string
  door: string
  product: string
  what: string
  detail: unknown
}

/** The columns of a ReceiptRow, of a receipt called `r`. */
export const RECEIPT_COLUMNS = `r.id, r.at, r.started_at, r.held, r.charged, r.key_id, r.status, r.door, r.product, r.what,
  r.detail, (SELECT k.name FROM "key" k WHERE k.id = r.key_id AND k.owner_id = r.owner_id) AS key_name`

type Asked = { ownerId: number; filter: UsageFilter; after: CursorPosition | null; max: number }

/** Columns that a filter names, in receipts and in their daily sums alike. */
const FILTERED = { keyId: 'key_id', what: 'what', status: 'status', product: 'product' } as const

/** Values that nearly every call has: their indexes leave them out. */
const COMMON = { status: 'ok', product: 'tool' }

/**
 * The query of an owner's receipts, newest first, at most `max`, older than `after`. Each filter walks an index in the
 * order of the list. No index leads to several filters at once, nor to the common values: there the daily sums say
 * between which days it is worth looking.
 */
export function receiptQuery({ ownerId, filter, after, max }: Asked): { text: string; values: unknown[] } {
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
  return { text, values }
}

const isCommon = (column: string, value: unknown): boolean => COMMON[column as keyof typeof COMMON] === value
