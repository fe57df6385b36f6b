import { runStatement } from '../../db'
import { statement } from '../../kit/statement'
import { KeyLimit, type LimitState, parseLimit } from '../limit-state'
import { type BudgetCall, findBudgets, knownVersion, readBudgets } from './find'

const VERSION = statement({
  name: 'budgets_version',
  sql: 'SELECT a.budgets_version AS version FROM account a WHERE a.owner_id = $1',
  params: ['int'],
  columns: { version: 'int' },
  isPrepared: true,
})

// A customer's counter is there from its first call on.
const STATES = statement({
  name: 'budget_states',
  sql: `SELECT jsonb_build_object('id', b.id, 'name', b.name, 'window', coalesce(b.period, 'lifetime'), 'cap', b.credits,
      'scope', b.scope - ARRAY['keys', 'members', 'tags', 'customers'],
      'spent', CASE WHEN s.ends_at <= clock_timestamp() THEN 0 ELSE coalesce(s.spent, 0) END,
      'held', CASE WHEN s.ends_at <= clock_timestamp() THEN 0 ELSE coalesce(s.held, 0) END,
      'resetsAt', CASE WHEN s.ends_at > clock_timestamp() THEN s.ends_at ELSE w.ends END) AS shown
    FROM unnest($2::uuid[], $3::uuid[]) WITH ORDINALITY u (id, budget_id, n)
    JOIN budget b ON b.id = u.budget_id AND b.owner_id = $1 JOIN owner o ON o.id = b.owner_id
    LEFT JOIN spend_limit s ON s.id = u.id
    LEFT JOIN LATERAL budget_period(b.period, o.time_zone, clock_timestamp()) w ON b.period IS NOT NULL ORDER BY u.n`,
  params: ['int', 'uuid[]', 'uuid[]'],
  columns: { shown: 'jsonb' },
})

async function readStates(call: BudgetCall) {
  const [account] = await runStatement(VERSION, [call.ownerId])
  if (account && account.version !== knownVersion(call.ownerId)) await readBudgets(call.ownerId)
  const { rows } = findBudgets(call)
  if (rows.length === 0) return []
  const found = await runStatement(STATES, [
    call.ownerId,
    rows.map(({ id }) => id),
    rows.map(({ budgetId }) => budgetId),
  ])
  return found.map(({ shown }) => shown)
}

/** The budgets that a call would count against now, as a refusal shows them. */
export const readBudgetStates = async (call: BudgetCall): Promise<LimitState[]> =>
  (await readStates(call)).flatMap((shown) => parseLimit(shown) ?? [])

/** Those that calls of a key may count against, each with which of its calls do. */
export const readKeyBudgets = async (of: Pick<BudgetCall, 'ownerId' | 'keyId' | 'customerId'>): Promise<KeyLimit[]> =>
  (await readStates(of)).flatMap((shown): KeyLimit[] => {
    const limit = parseLimit(shown)
    return limit ? [{ ...limit, scope: KeyLimit.shape.scope.parse((shown as { scope?: unknown }).scope) }] : []
  })
