import { AppError } from '../errors'
import { transact } from './transact'

/**
 * Adds credits to an owner's balance, or, when negative, takes back what is still available. A ledger row records it.
 * Answers the available balance afterwards, in credits. Throws `conflict` when a correction exceeds the balance, and
 * `unavailable` when the database was lost: look at the balance before trying again.
 */
export async function grantCredits(ownerId: number, credits: bigint, note?: string): Promise<bigint> {
  const [row] = await transact<{ balance: string | null }>(
    'credits_grant',
    'SELECT credits_grant($1, $2, $3) AS balance',
    [ownerId, credits.toString(), note ?? null],
    { repeatable: false },
  )
  if (!row?.balance) throw new AppError('conflict', 'A correction cannot take more than is available.')
  return BigInt(row.balance)
}

type Transaction = { $queryRaw: <R>(sql: TemplateStringsArray, ...values: unknown[]) => Promise<R> }

/** Adds credits (more than 0) to an owner's balance inside the caller's transaction: both happen, or neither. */
export async function grantInTransaction(
  tx: Transaction,
  ownerId: number,
  credits: bigint,
  note: string,
): Promise<void> {
  await tx.$queryRaw`SELECT credits_grant(${ownerId}::int, ${credits}::bigint, ${note}) IS NOT NULL AS granted`
}
