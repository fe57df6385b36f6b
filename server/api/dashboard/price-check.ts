import { z } from 'zod'
import { getConfirmAbove } from '../../accounts/confirm-above'
import { getBalance } from '../../credits/balance'
import { CallEstimate } from '../../credits/shape'

/** What a page says before an owner spends. */
export const PriceCheck = CallEstimate.extend({
  available: z.int().describe('Credits that are free'),
  isShort: z.boolean().describe('Too few are free: the call would be refused'),
  mustConfirm: z.boolean().describe('It may cost more than the owner wants to spend unasked'),
})
export type PriceCheck = z.infer<typeof PriceCheck>

/**
 * An estimate beside what the owner has and wants to be asked for. `least`: what must be free,
 * where that is not `most`; `free`: what is, where that is not the balance.
 */
export async function checkPrice<E extends CallEstimate>(
  ownerId: number,
  estimate: E,
  { least = estimate.most ?? 0, free }: { least?: number; free?: number } = {},
): Promise<E & z.infer<typeof PriceCheck>> {
  const [balance, confirmAbove] = await Promise.all([
    free === undefined ? getBalance(ownerId) : null,
    getConfirmAbove(ownerId),
  ])
  const available = free ?? balance?.available ?? 0
  const most = estimate.most === null ? null : Math.min(estimate.most, Math.max(available, least))
  return {
    ...estimate,
    most,
    typical: estimate.typical === null || most === null ? estimate.typical : Math.min(estimate.typical, most),
    available,
    isShort: available < least,
    mustConfirm: confirmAbove !== null && most !== 0 && (most === null || most > confirmAbove),
  }
}
