import { runIn, type Transaction } from '../db'
import { invalidRequest } from '../errors'
import { statement } from '../kit/statement'
import type { RecurringBudget } from './shape'

/** What a key has spent and holds in the present period, whatever budget it had so far. */
const PERIOD_USE = statement({
  name: 'key_period_use',
  sql: `SELECT b.begins, b.ends,
      coalesce((SELECT sum(charged_in_period(r, b.begins, r.charged)) FROM receipt r WHERE r.key_id = k.id AND r.at >= b.begins), 0)::bigint AS spent,
      coalesce((SELECT sum(amount) FROM hold WHERE key_id = k.id AND created_at >= b.begins), 0)::bigint AS held
    FROM "key" k JOIN owner o ON o.id = k.owner_id, LATERAL budget_period($2, o.time_zone, clock_timestamp()) b
    WHERE k.id = $1`,
  params: ['int', 'text'],
  columns: { begins: 'timestamptz?', ends: 'timestamptz?', spent: 'bigint', held: 'bigint' },
})

/** The columns of a key without a recurring budget. */
const NONE = { period: null, periodBudget: null, periodStart: null, periodEnd: null, periodSpent: 0n, periodHeld: 0n }

/**
 * The columns of a key's recurring budget, with what the present period has used up already. Its
 * caller has locked the key. Throws `invalid_request` for less than that.
 */
export async function recurringBudgetColumns(tx: Transaction, keyId: number, budget: RecurringBudget | null) {
  if (budget === null) return NONE
  const [use] = await runIn(tx, PERIOD_USE, [keyId, budget.every])
  if (!use?.begins || !use.ends) throw new Error(`there is no key ${keyId}`)
  checkBudget('recurringBudget', budget.credits, { spent: BigInt(use.spent), held: BigInt(use.held) })
  return {
    period: budget.every,
    periodBudget: BigInt(budget.credits),
    periodStart: new Date(use.begins),
    periodEnd: new Date(use.ends),
    periodSpent: BigInt(use.spent),
    periodHeld: BigInt(use.held),
  }
}

/** Throws `invalid_request` for a budget that is less than what was spent and is held. */
export function checkBudget(field: string, budget: number, { spent, held }: { spent: bigint; held: bigint }): void {
  if (BigInt(budget) >= spent + held) return
  const used = held > 0n ? `${spent} credits are spent and ${held} reserved` : `${spent} credits are spent`
  const message = `${used} already: the budget must be at least ${spent + held}. To stop the key, revoke it.`
  throw invalidRequest([{ path: [field], message }])
}
