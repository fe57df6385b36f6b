import { chanceOf } from '../kit/seed'

export const AGENCIES_PER_PROVINCE = 5

/** Of homes one in five is its owner's and a few are a bank's; an agency has the others. */
export type Seller = { kind: 'owner' } | { kind: 'bank' } | { kind: 'agency'; index: number }

/** Who offers what has this code. */
export function sellerOf(code: string): Seller {
  const chance = chanceOf(`seller ${code}`)
  if (chance < 0.2) return { kind: 'owner' }
  if (chance < 0.25) return { kind: 'bank' }
  return { kind: 'agency', index: Math.floor(((chance - 0.25) / 0.75) * AGENCIES_PER_PROVINCE) }
}
