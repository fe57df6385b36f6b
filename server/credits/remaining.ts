import type { LimitSource } from './shape'

/** What may still be spent, and the limit that ends it first. Credits. */
export type RemainingCredits = { credits: number; limitedBy: Exclude<LimitSource, 'conversation'> }

/** The tighter of an owner's available balance and what a key's budget leaves (null: no budget). */
export const remainingCredits = (available: number, keyRemaining: number | null): RemainingCredits =>
  keyRemaining !== null && keyRemaining < available
    ? { credits: keyRemaining, limitedBy: 'key_budget' }
    : { credits: available, limitedBy: 'balance' }
