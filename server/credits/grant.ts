import { runIn, runStatement, type Transaction } from '../db'
import { AppError } from '../errors'
import { statement } from '../kit/statement'

const GRANT = statement({
  name: 'credits_grant',
  sql: 'SELECT credits_grant($1, $2, $3) AS balance',
  params: ['int', 'bigint', 'text'],
  columns: { balance: 'bigint?' },
})

/**
 * Adds credits to an owner's balance, or, when negative, takes back what is still available. A
 * ledger row records it. Returns the available balance afterwards, in credits. Throws `conflict`
 * when a correction exceeds the balance, and `unavailable` when the database was lost: look at the
 * balance before trying again.
 */
export async function grantCredits(ownerId: number, credits: bigint, note?: string): Promise<bigint> {
  const [row] = await runStatement(GRANT, [ownerId, credits, note ?? null], { repeatable: false })
  if (!row?.balance) throw new AppError('conflict', 'A correction cannot take more than is available.')
  return BigInt(row.balance)
}

// Prisma sends whole numbers as bigint, so the parameters need casts.
const GRANT_IN_TRANSACTION = statement({
  name: 'credits_grant_in_transaction',
  sql: 'SELECT credits_grant($1::int, $2::bigint, $3) IS NOT NULL AS granted',
  params: ['int', 'bigint', 'text'],
  columns: { granted: 'boolean' },
})

/**
 * Adds credits (more than 0) to an owner's balance inside the caller's transaction: both happen, or
 * neither.
 */
export async function grantInTransaction(
  tx: Transaction,
  { ownerId, credits, note }: { ownerId: number; credits: bigint; note: string },
): Promise<void> {
  await runIn(tx, GRANT_IN_TRANSACTION, [ownerId, credits, note])
}
