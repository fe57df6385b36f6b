import { inAct, runIn, type Transaction } from '../db'
import { AppError } from '../errors'
import { statement } from '../kit/statement'

// Prisma sends whole numbers as bigint, so the parameters need casts.
const GRANT = statement({
  name: 'credits_grant',
  sql: 'SELECT credits_grant($1::int, $2::bigint, $3) AS balance',
  params: ['int', 'bigint', 'text'],
  columns: { balance: 'bigint?' },
})

/**
 * Adds credits to an owner's balance, or, when negative, takes back what is still available. A
 * ledger row records it. Returns the available balance afterwards, in credits. Throws `conflict`
 * when a correction exceeds the balance, and `unavailable` when the database was lost: look at the
 * balance before trying again.
 */
export const grantCredits = (ownerId: number, credits: bigint, note?: string): Promise<bigint> =>
  inAct((tx) => grantIn(tx, { ownerId, credits, note }))

/** The same inside the caller's transaction: both happen, or neither. */
export async function grantIn(
  tx: Transaction,
  { ownerId, credits, note }: { ownerId: number; credits: bigint; note?: string },
): Promise<bigint> {
  const [row] = await runIn(tx, GRANT, [ownerId, credits, note ?? null])
  if (!row?.balance) throw new AppError('conflict', 'A correction cannot take more than is available.')
  return BigInt(row.balance)
}
