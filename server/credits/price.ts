import { env } from '../env'

/** More than any balance, and safely within the database's 64 bits. */
const MAX_CREDITS = Number.MAX_SAFE_INTEGER

/**
 * Credits a metered call costs for the provider's real cost in USD: the markup on top, rounded up,
 * never below 0 and never above what a number can count. Throws RangeError for NaN.
 */
export function creditsForUsd(costUsd: number, { CREDITS_PER_USD, MARKUP } = env()): bigint {
  if (Number.isNaN(costUsd)) throw new RangeError('a cost must be a number')
  // Cents of a credit lost to binary fractions must not round a whole number up.
  const exact = Number((costUsd * CREDITS_PER_USD * MARKUP).toFixed(6))
  return BigInt(Math.min(MAX_CREDITS, Math.max(0, Math.ceil(exact))))
}
