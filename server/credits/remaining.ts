import type { LimitSource } from './shape'

/** What may still be spent, and the limit that ends it first. Credits. */
export type RemainingCredits = { credits: number; limitedBy: Exclude<LimitSource, 'conversation' | 'budget'> }

/** What a key's budgets and its account's day leave; null: there is no such limit. */
export type KeyBudgets = { lifetime: number | null; period: number | null; day: number | null }

/**
 * The tightest of an owner's available balance, what a key's budgets leave, and the account's day.
 */
export function remainingCredits(available: number, { lifetime, period, day }: KeyBudgets): RemainingCredits {
  const limits: RemainingCredits[] = [{ credits: available, limitedBy: 'balance' }]
  if (lifetime !== null) limits.push({ credits: lifetime, limitedBy: 'key_budget' })
  if (period !== null) limits.push({ credits: period, limitedBy: 'key_period' })
  if (day !== null) limits.push({ credits: day, limitedBy: 'account_day' })
  return limits.reduce((least, next) => (next.credits < least.credits ? next : least))
}
