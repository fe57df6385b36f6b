import { env } from '../env'

/** Credits a metered call costs for the vendor's real cost in USD: the markup on top, rounded up, never below 0. */
export function creditsForUsd(costUsd: number, { CREDITS_PER_USD, MARKUP } = env()): bigint {
  // Cents of a credit lost to binary fractions must not round a whole number up.
  const exact = Number((costUsd * CREDITS_PER_USD * MARKUP).toFixed(6))
  return BigInt(Math.max(0, Math.ceil(exact)))
}
