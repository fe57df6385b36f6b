import { z } from 'zod'
import { getConfirmAbove } from '../../accounts/confirm-above'
import { getBalance } from '../../credits/balance'
import { CallEstimate } from '../../credits/shape'
import { env } from '../../env'
import { AppError } from '../../errors'

/** What a page says before an owner spends. */
export const PriceCheck = CallEstimate.extend({
  available: z.int().describe('Credits that are free'),
  isShort: z.boolean().describe('Too few are free: the call would be refused'),
  creditsPerUsd: z.int().describe('The reference rate'),
  mustConfirm: z.boolean().describe('It may cost more than the owner wants to spend unasked'),
})
export type PriceCheck = z.infer<typeof PriceCheck>

/**
 * An estimate beside what the owner has and wants to be asked for. `least`: what must be free,
 * where that is not `most`; `free`: what is, where that is not the balance; `asksAt`: which charge
 * decides whether the owner is asked.
 */
export async function checkPrice<E extends CallEstimate>(
  ownerId: number,
  estimate: E,
  {
    least = estimate.most ?? 0,
    free,
    asksAt = 'most',
  }: { least?: number; free?: number; asksAt?: 'most' | 'typical' } = {},
): Promise<E & z.infer<typeof PriceCheck>> {
  const [balance, confirmAbove] = await Promise.all([
    free === undefined ? getBalance(ownerId) : null,
    getConfirmAbove(ownerId),
  ])
  const available = free ?? balance?.available ?? 0
  const max = estimate.most === null ? null : Math.min(estimate.most, Math.max(available, least))
  const typical = estimate.typical === null || max === null ? estimate.typical : Math.min(estimate.typical, max)
  const deciding = asksAt === 'typical' ? typical : max
  return {
    ...estimate,
    most: max,
    typical,
    available,
    isShort: available < least,
    creditsPerUsd: env().CREDITS_PER_USD,
    mustConfirm: confirmAbove !== null && deciding !== 0 && (deciding === null || deciding > confirmAbove),
  }
}

/**
 * An estimate, or null for a request that would be refused as invalid: it may be only half
 * written.
 */
export const nullIfInvalid = <E>(estimate: Promise<E>): Promise<E | null> =>
  estimate.catch((error: unknown) => {
    if (error instanceof AppError && (error.code === 'invalid_request' || error.code === 'unknown_model')) return null
    throw error
  })
