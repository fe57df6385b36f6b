import { AppError } from '../errors'
import { transact } from './transact'

/**
 * Adds credits to an owner's balance, or, when negative, takes back what is still available. A ledger row records it.
 * Answers the available balance afterwards, in credits. Throws `conflict` when a correction exceeds the balance.
 */
export async function grant(ownerId: number, credits: bigint, note?: string): Promise<bigint> {
  const [row] = await transact<{ balance: string | null }>(
    'credits_grant',
    'SELECT credits_grant($1, $2, $3) AS balance',
    [ownerId, credits.toString(), note ?? null],
  )
  if (!row?.balance) throw new AppError('conflict', 'A correction cannot take more than is available.')
  return BigInt(row.balance)
}
