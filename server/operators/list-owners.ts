import { runRead } from '../db'
import { readSortedCursor } from '../errors'
import { encodeSortedCursor } from '../kit/cursor'
import { isUuid } from '../kit/id'
import type { ReadOptions } from '../kit/pg-read'
import { type RowOf, statement } from '../kit/statement'
import { findOwnerOfId } from './find-owner'
import type { OwnerList, OwnerRow, OwnersPage } from './shape'
import { spentThisMonthSql } from './spent-this-month'

// Only the order by spend adds up every owner's month; otherwise only those of the page are. Both
// columns of the order are negative where the lowest come first.
const OWNERS = statement({
  name: 'operators_owners',
  sql: `SELECT p.*, (SELECT count(*) FROM "key" k WHERE k.owner_id = p.id)::int AS keys,
      ${spentThisMonthSql('p.id')} AS spent
    FROM (
      SELECT o.id, o.email, o.is_admin AS "isAdmin", o.created_at AS "createdAt", a.suspended_for AS "suspendedFor",
        coalesce(a.available, 0) AS available, coalesce(a.held, 0) AS held,
        (CASE $1 WHEN 'spent' THEN ${spentThisMonthSql('o.id')} WHEN 'available' THEN coalesce(a.available, 0)
          WHEN 'held' THEN coalesce(a.held, 0) ELSE 0 END)::bigint * $8::int AS place, o.id * $8 AS rank
      FROM owner o LEFT JOIN account a ON a.owner_id = o.id
      WHERE ($2::text IS NULL OR position(lower($2) IN o.email) > 0 OR o.id = $3
          OR o.id IN (SELECT k.owner_id FROM key_secret s JOIN "key" k ON k.id = s.key_id WHERE s.last4 = $2))
        AND CASE $4 WHEN 'suspended' THEN a.suspended_for IS NOT NULL WHEN 'operator' THEN o.is_admin
          WHEN 'active' THEN a.suspended_for IS NULL ELSE true END) p
    WHERE $5::bigint IS NULL OR (p.place, p.rank) < ($5, $6)
    ORDER BY p.place DESC, p.rank DESC LIMIT $7`,
  params: ['text', 'text', 'int', 'text', 'bigint', 'int', 'bigint', 'int'],
  columns: {
    id: 'int',
    email: 'text',
    isAdmin: 'boolean',
    createdAt: 'timestamptz',
    suspendedFor: 'text?',
    available: 'bigint',
    held: 'bigint',
    place: 'bigint',
    rank: 'int',
    keys: 'int',
    spent: 'bigint',
  },
})

const viewOwner = (row: RowOf<typeof OWNERS>): OwnerRow => ({
  id: row.id,
  email: row.email,
  isAdmin: row.isAdmin,
  suspendedFor: row.suspendedFor,
  available: Number(row.available),
  held: Number(row.held),
  spentThisMonth: Number(row.spent),
  keys: row.keys,
  createdAt: row.createdAt.toISOString(),
})

const MAX_ID = 2 ** 31 - 1

/** The owner's id that a search names: the number itself, or the owner of a request or job. */
async function idOf(search: string): Promise<number> {
  if (isUuid(search)) return (await findOwnerOfId(search)) ?? 0
  return /^\d{1,10}$/.test(search) && Number(search) <= MAX_ID ? Number(search) : 0
}

/** An owner's id, negative where the lowest come first. */
const isRank = (id: string): boolean => /^-?\d{1,9}$/.test(id)

/**
 * Owners in an order; only those a search finds by part of an e-mail
 * address, id, last four of a key, request or job. Throws `invalid_request` for an invalid cursor.
 */
export async function listOwners(
  { search = '', state, sort, order, limit, cursor }: OwnersPage,
  options?: ReadOptions,
): Promise<OwnerList> {
  const by = `${sort} ${order}`
  const from = readSortedCursor(cursor, { order: by, values: 'number', isId: isRank })
  const ownerId = await idOf(search)
  const found = await runRead(
    OWNERS,
    [
      sort,
      search === '' ? null : search,
      ownerId,
      state ?? null,
      from && BigInt(from.value),
      Number(from?.id ?? 0),
      BigInt(limit + 1),
      order === 'desc' ? 1 : -1,
    ],
    options,
  )
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  const nextCursor = last ? encodeSortedCursor(by, { value: String(last.place), id: String(last.rank) }) : null
  return { rows: page.map(viewOwner), nextCursor }
}
