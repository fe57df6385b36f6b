import type { LimitSource } from './shape'

/** What may still be spent, and the limit that ends it first. Credits. */
export type RemainingCredits = { credits: number; limitedBy: Exclude<LimitSource, 'conversation'> }

/** What a key's budgets leave; null: it has no such budget. */
export type KeyBudgets = { lifetime: number | null; period: number | null }

/** The tightest of an owner's available balance and what a key's budgets leave. */
export function remainingCredits(available: number, { lifetime, period }: KeyBudgets): RemainingCredits {
  const limits: RemainingCredits[] = [{ credits: available, limitedBy: 'balance' }]
  if (lifetime !== null) limits.push({ credits: lifetime, limitedBy: 'key_budget' })
  if (period !== null) limits.push({ credits: period, limitedBy: 'key_period' })
  return limits.reduce((least, next) => (next.credits < least.credits ? next : least))
}
