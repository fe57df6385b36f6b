import type { Position } from '../kit/page'
import { Product, ReceiptStatus, type UsageFilter } from './shape'

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

type Asked = { ownerId: number; filter: UsageFilter; after: Position | null; most: number }

/**
 * The query of an owner's receipts, newest first, at most `most`, older than `after`. Every filter walks an index in the
 * order of the list: by tool or model, by key, and otherwise by product and status, where one that is not given stands
 * for each value there is, merged.
 */
export function receiptQuery({ ownerId, filter, after, most }: Asked): { text: string; values: unknown[] } {
  const values: unknown[] = []
  const given = (value: unknown) => `$${values.push(value)}`
  const { keyId, what, product, status, from, to } = filter
  const conditions = [`r.owner_id = ${given(ownerId)}`]
  if (keyId !== undefined) conditions.push(`r.key_id = ${given(keyId)}`)
  if (what !== undefined) conditions.push(`r.what = ${given(what)}`)
  if (from) conditions.push(`r.at >= ${given(new Date(from))}`)
  if (to) conditions.push(`r.at < ${given(new Date(new Date(to).getTime() + DAY_MS))}`)
  if (after) conditions.push(`(r.at, r.id) < (${given(after.at)}::timestamptz, ${given(after.id)}::uuid)`)
  const order = `ORDER BY r.at DESC, r.id DESC LIMIT ${given(most)}`
  const page = (more: readonly string[]) =>
    `SELECT r.* FROM receipt r WHERE ${[...conditions, ...more].join(' AND ')} ${order}`
  const one = (name: string, value: string | undefined) => (value === undefined ? [] : [`r.${name} = ${given(value)}`])
  const isMerged = keyId === undefined && what === undefined && (product !== undefined || status !== undefined)
  const rows = isMerged
    ? `SELECT r.* FROM unnest(${given(product ? [product] : Product.options)}::text[]) p
         CROSS JOIN unnest(${given(status ? [status] : ReceiptStatus.options)}::text[]) s
         CROSS JOIN LATERAL (${page(['r.product = p', 'r.status = s'])}) r ${order}`
    : page([...one('product', product), ...one('status', status)])
  return { text: `SELECT ${RECEIPT_COLUMNS} FROM (${rows}) r ORDER BY r.at DESC, r.id DESC`, values }
}
