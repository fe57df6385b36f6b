import { runIn, type Transaction } from '../db'
import { AppError } from '../errors'
import { isUuid } from '../kit/id'
import { statement } from '../kit/statement'

// Prisma sends whole numbers as bigint and ids as text, so the parameters need casts.
const REFUND_CALL = statement({
  name: 'credits_refund_call',
  sql: 'SELECT outcome, credits, owner_id AS "ownerId" FROM credits_refund_call($1::uuid, $2::bigint, $3)',
  params: ['uuid', 'bigint', 'text'],
  columns: { outcome: ['done', 'again', 'more', 'uncharged', 'unknown'], credits: 'bigint', ownerId: 'int' },
})

/** `isNew` is false where the request was refunded before. */
export type Refund = { ownerId: number; credits: number; isNew: boolean }

/** The error for a request that has no receipt. */
export const requestNotFound = (): AppError =>
  new AppError('not_found', 'There is no finished request with this id. Old receipts may have been deleted.')

/**
 * Gives back what a finished request was charged, or some of it, once: to the balance, the key's
 * budgets and the conversation's spend limit, as if the call had cost less. Repeated, also at the
 * same time, it gives back nothing more and returns the first refund. Throws `not_found` without a
 * receipt, and `conflict` for more than was charged, for another amount than the first, and where
 * nothing was charged.
 */
export async function refundCall(
  tx: Transaction,
  { requestId, credits, note }: { requestId: string; credits: number | null; note: string },
): Promise<Refund> {
  if (!isUuid(requestId)) throw requestNotFound()
  const [row] = await runIn(tx, REFUND_CALL, [requestId, credits === null ? null : BigInt(credits), note])
  if (!row || row.outcome === 'unknown') throw requestNotFound()
  const found = Number(row.credits)
  if (row.outcome === 'uncharged') throw new AppError('conflict', 'Nothing was charged for this request.')
  if (row.outcome === 'more')
    throw new AppError('conflict', `Only ${found} credits were charged for this request. More is a grant.`)
  if (row.outcome === 'again' && credits !== null && credits !== found)
    throw new AppError('conflict', `${found} credits of this request were refunded before. More is a grant.`)
  return { ownerId: row.ownerId, credits: found, isNew: row.outcome === 'done' }
}
